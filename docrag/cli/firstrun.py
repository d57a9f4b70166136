"""The first run: an admin with a random password, an API key, and the sample documents."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from docrag import samples
from docrag.access.keys import SHOWN, digest, new_key
from docrag.access.passwords import hash_password, new_password
from docrag.api import ADMIN_ROLE, Access, DuplicateDocument, NameTaken, StoreError
from docrag.assistant import Assistant
from docrag.cli.privatefile import write_private
from docrag.store.filelock import FileLock, make_folder
from docrag.store.records import DocumentState

#: File of the instance folder that scripts start from.
FILENAME: Final = "first-run.json"
#: The same file while the first run is under way: a run that was broken off goes on with it.
DRAFT: Final = ".first-run.json"
#: Lock file of the instance folder: of two servers that start at once, one does the first run.
LOCK: Final = ".first-run.lock"
#: Seconds to wait for the other one; it hashes a password and stores a few small files.
LOCK_TIMEOUT: Final = 120.0
#: Name of the first user, and of its first key in each language of the settings.
ADMIN: Final = "admin"
KEY_NAMES: Final = {"tr": "ilk kurulum", "en": "first run"}
#: File of the instance folder that keeps the embedded set-up's SECRET_KEY.
SIGNING_KEY_FILE: Final = "secret-key"
#: What whoever starts the server may see.
_ALL: Final = Access.of([ADMIN_ROLE])


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What the first run made, as ``first-run.json`` holds it."""

    url: str
    admin_user: str
    admin_password: str = field(repr=False)
    api_key: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRun:
    """What the first run made."""

    credentials: Credentials
    #: Identifiers of the sample documents, queued for the worker.
    samples: tuple[str, ...]


def first_run(assistant: Assistant, *, url: str) -> FirstRun | None:
    """Make the admin, its key and the samples' documents, if the database has no user yet.

    The credentials are written before anything uses them, so that a run that breaks off loses none
    and is taken up by the next one.

    :param url: address that the file tells.
    :returns: what was made; ``None`` if there are users already.
    :raises StoreError: the database of an earlier first run is gone, or another process has been
        busy with the first run for too long.
    """
    with _alone(assistant.settings.instance):
        return _first_run(assistant, url)


@contextmanager
def _alone(instance: Path) -> Iterator[None]:
    """Hold the lock of the first run.

    :raises StoreError: another process has it for too long.
    """
    make_folder(instance)
    lock = FileLock(instance / LOCK)
    if not lock.acquire(timeout=LOCK_TIMEOUT):
        raise StoreError(
            "another `docrag serve` has been busy with the first run for "
            f"{LOCK_TIMEOUT:.0f} s; end it and try again"
        )
    try:
        yield
    finally:
        lock.release()


def _first_run(assistant: Assistant, url: str) -> FirstRun | None:
    draft = assistant.settings.instance / DRAFT
    if (assistant.settings.instance / FILENAME).is_file() and not assistant.store.users.list():
        raise StoreError(
            f"{FILENAME} of an earlier first run is in the instance folder, but the database has "
            "no users; bring the database back, or move the file away to begin anew"
        )
    if assistant.store.users.list() and not draft.is_file():
        return None
    made = _drafted(draft, url) or Credentials(
        url=url, admin_user=ADMIN, admin_password=new_password(), api_key=new_key().secret
    )
    write_private(draft, json.dumps(asdict(made), indent=2) + "\n")
    _ensure_admin(assistant, made)
    queued = queue_samples(assistant) if assistant.settings.samples else ()
    draft.replace(assistant.settings.instance / FILENAME)
    return FirstRun(credentials=made, samples=queued)


def renew_url(instance: Path, url: str) -> None:
    """Have the file of the first run tell where the server listens now, all else as it is.

    A file that is gone stays gone; one that a person has made a link, or filled with something
    else than docrag writes, is left alone.

    :raises OSError: the file cannot be read or written.
    :raises StoreError: another process has been busy with the first run for too long.
    """
    path = instance / FILENAME
    if path.is_symlink() or not path.is_file():
        return
    with _alone(instance):
        try:
            kept = json.loads(path.read_text("utf-8"))
            if not isinstance(kept, dict) or kept.get("url", url) == url:
                return
            text = json.dumps({**kept, "url": url}, indent=2, ensure_ascii=False)
            text.encode()  # half of a surrogate pair cannot be written
        except (ValueError, RecursionError):
            return
        write_private(path, text + "\n")


def secret_key(instance: Path) -> str:
    """The key that signs sessions, made on the first call and kept in the instance folder."""
    path = instance / SIGNING_KEY_FILE
    with _alone(instance):
        if not path.is_file():
            write_private(path, secrets.token_hex(32) + "\n")
    return path.read_text("utf-8").strip()


def queue_samples(assistant: Assistant) -> tuple[str, ...]:
    """Upload the sample documents, for the worker to read.

    :returns: identifiers of the documents, in the order of the manifest.
    """
    queued = []
    for sample in samples.manifest():
        for role in sample.roles:
            _ensure_role(assistant, role)
        try:
            document, _ = assistant.upload(
                samples.read(sample.filename),
                filename=sample.filename,
                roles=sample.roles,
                title=sample.title,
            )
        except DuplicateDocument as exc:
            queued.append(exc.document_id)
        else:
            queued.append(document.id)
    return tuple(queued)


def settled(assistant: Assistant, document_ids: Iterable[str]) -> dict[str, DocumentState]:
    """Those of the documents that are ready or failed, with their state."""
    waiting = (DocumentState.QUEUED, DocumentState.PROCESSING)
    states = {item: assistant.document(item, access=_ALL).state for item in document_ids}
    return {item: state for item, state in states.items() if state not in waiting}


def _drafted(draft: Path, url: str) -> Credentials | None:
    try:
        return Credentials(**{**json.loads(draft.read_text("utf-8")), "url": url})
    except (OSError, ValueError, TypeError):
        return None


def _ensure_role(assistant: Assistant, name: str) -> None:
    try:
        assistant.store.roles.create(name)
    except NameTaken:
        return


def _ensure_admin(assistant: Assistant, made: Credentials) -> None:
    store = assistant.store
    try:
        store.users.create(
            username=made.admin_user,
            password_hash=hash_password(made.admin_password),
            roles=[ADMIN_ROLE],
        )
    except NameTaken:
        pass
    try:
        store.keys.create(
            username=made.admin_user,
            name=KEY_NAMES[assistant.settings.language],
            key_hash=digest(made.api_key),
            prefix=made.api_key[:SHOWN],
        )
    except NameTaken:
        pass
