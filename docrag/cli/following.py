"""``docrag ingest --watch``: looks into folders again and again, and takes in what is new."""

from __future__ import annotations

import hashlib
import json
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from docrag.api import DocragError, DocumentError, StoreError, StoreUnavailable
from docrag.assistant import Assistant, NewVersion
from docrag.cli.files import folder_files
from docrag.cli.output import progress, say
from docrag.cli.session import Session, known_roles
from docrag.cli.taking import OPERATOR, Outcome, Taking, is_past, outcome, progress_of, stored
from docrag.ingest.detect import readable
from docrag.store.records import Document, DocumentState, Job

#: Size (bytes) and time of change (ns) of a file.
Stamp = tuple[int, int]
#: States of a document that somebody still has to read.
WAITING: Final = (DocumentState.QUEUED, DocumentState.PROCESSING)
#: Jobs among which that of a document is looked for; no queue is longer.
MOST_JOBS: Final = 100_000


@dataclass
class Follower:
    """Folders, and what is known of their files.

    A file is looked at when two looks found it with one size and one time, so that a half-copied
    one waits; and once for each content, so that a mistake is told once.
    """

    folders: Sequence[Path]
    taking: Taking
    #: Called with what became of a file.
    tell: Callable[[Outcome], None]
    #: What became of each file last, by its source.
    last: dict[str, Outcome] = field(default_factory=dict)
    #: How many files became documents, and how many of these were further versions.
    new: int = 0
    changed: int = 0
    _seen: dict[str, Stamp] = field(default_factory=dict)
    _done: dict[str, Stamp] = field(default_factory=dict)
    _files: dict[str, Path] = field(default_factory=dict)

    def look(self, assistant: Assistant) -> None:
        """Take in what is new or changed; report what is gone, whose documents stay.

        :raises StoreUnavailable: the database is away; what was not taken in is tried again.
        """
        files = self._files = self._listed(assistant.registry.names("loaders"))
        now = {source: stamp for source, file in files.items() if (stamp := _stamp(file))}
        ripe = [s for s, t in now.items() if self._seen.get(s) == t and self._done.get(s) != t]
        for source in sorted(set(self._done) - set(files)):
            if self._is_there(source):
                del self._done[source]
                self.tell(Outcome(file=source, state="gone", reason="its document stays"))
        self._seen = now
        if ripe:
            with progress(len(ripe), "files", "file") as bar:
                for source in ripe:
                    self._take(assistant, source, files[source], now[source], bar)
                    bar.update()

    def _listed(self, suffixes: Collection[str]) -> dict[str, Path]:
        """Every file by the source under which its document is known."""
        return {
            _source(folder, file): file
            for folder in self.folders
            for file in folder_files(folder, suffixes)
        }

    def _is_there(self, source: str) -> bool:
        """False if the folder itself is away, such as one of another machine."""
        return any(
            folder.is_dir() and source.startswith(_source(folder)) for folder in self.folders
        )

    def _take(
        self, assistant: Assistant, source: str, file: Path, stamp: Stamp, bar: tqdm[Any]
    ) -> None:
        def listen(job: Job) -> None:
            bar.set_postfix_str(progress_of(file.name, job))

        self._done[source] = stamp
        try:
            found = self._found(assistant, source, file, listen)
        except DocragError as exc:
            # Not the file's fault: each look tries it again, and tells it once.
            del self._done[source]
            if isinstance(exc, StoreUnavailable):
                raise
            found = Outcome(file=source, state="failed", reason=str(exc))
        if _stamp(file) not in (stamp, None):
            # It was changed while it was read, and perhaps half read: the next look has it again.
            self._seen.pop(source, None)
        if found.state not in ("unchanged", "failed"):
            is_first = found.version == 1
            self.new, self.changed = self.new + is_first, self.changed + (not is_first)
        if found != self.last.get(source):
            self.tell(found)
        self.last[source] = found

    def _found(
        self, assistant: Assistant, source: str, file: Path, listen: Callable[[Job], None]
    ) -> Outcome:
        """What becomes of a file: nothing, a document, or the next version of one."""
        try:
            digest = hashlib.sha256(assistant.read(file)).hexdigest()
        except (DocumentError, OSError) as exc:
            reason = (exc.strerror or "") if isinstance(exc, OSError) else str(exc)
            return Outcome(file=source, state="failed", reason=reason)
        versions = assistant.store.documents.from_source(source, access=OPERATOR)
        newest = versions[0] if versions else None
        if newest and newest.sha256 == digest:
            if newest.state in WAITING:
                return self._awaited(assistant, source, newest, listen)
            failed = newest.state is DocumentState.FAILED
            return outcome(source, newest) if failed else stored(source, newest)
        taking = replace(self.taking, version=NewVersion(source=source))
        if newest and (copy := self._copy_of(assistant, newest)):
            # What the file was goes on as another one, which this content must not put an end to.
            assistant.store.documents.adopt(newest.id, copy, before=source)
            taking = replace(taking, roles=frozenset(newest.roles) or taking.roles)
        elif newest:
            version = NewVersion(source=source, replaces=newest.id)
            taking = replace(taking, roles=frozenset(), version=version)
        found = taking.take(assistant, file, listen=listen, shown=source)
        if found.state == "unchanged":
            return self._known(assistant, source, found)
        return found

    def _known(self, assistant: Assistant, source: str, found: Outcome) -> Outcome:
        """What becomes of a file whose bytes are stored: a renamed one takes its document along."""
        document = assistant.document(found.id, access=OPERATOR)
        if is_past(document):
            return replace(found, state="failed")
        before = document.source
        if not before or (before not in self._files and self._is_there(before)):
            assistant.store.documents.adopt(document.id, source, before=before)
        return found

    def _copy_of(self, assistant: Assistant, document: Document) -> str:
        """Another file with the bytes of a document, by its source; empty if there is none."""
        for source, file in self._files.items():
            stamp = self._seen.get(source)
            if source == document.source or stamp is None or stamp[0] != document.size:
                continue
            with suppress(DocumentError, OSError):
                if hashlib.sha256(assistant.read(file)).hexdigest() == document.sha256:
                    return source
        return ""

    def _awaited(
        self, assistant: Assistant, source: str, document: Document, listen: Callable[[Job], None]
    ) -> Outcome:
        """What becomes of a document that was stored before the database went away."""
        waiting = assistant.store.jobs.list(access=OPERATOR, live=True, most=MOST_JOBS)
        job = next((job for job in waiting if job.document_id == document.id), None)
        if job and self.taking.wait:
            try:
                document = assistant.await_ready(document, job, progress=listen)
            except DocumentError as exc:
                return Outcome(file=source, state="failed", id=document.id, reason=str(exc))
        return outcome(source, document)


def follow(
    session: Session, folders: Sequence[Path], taking: Taking, *, interval: float, as_json: bool
) -> int:
    """Watch folders until Ctrl-C or SIGTERM.

    :param interval: seconds between two looks.
    :returns: the exit code: 1 if a file failed and was not mended since.
    """
    follower = Follower(folders=folders, taking=taking, tell=_json if as_json else _line)
    is_first, is_away = True, False
    with _term_as_interrupt():
        try:
            while True:
                try:
                    with session.assistant() as assistant:
                        if is_first:
                            known_roles(assistant.store, taking.roles)
                            say("watching; stop with Ctrl-C")
                        is_first = is_away = False
                        _look_for_ever(follower, assistant, interval)
                except StoreError as exc:
                    if is_first:
                        raise
                    if not is_away:
                        say(f"{exc}; trying again until it goes")
                    is_away = True
                    time.sleep(interval)
        except KeyboardInterrupt:
            pass
    return _summary(follower)


def _look_for_ever(follower: Follower, assistant: Assistant, interval: float) -> None:
    """Look again and again.

    :raises StoreError: the database is away, or refuses.
    """
    while True:
        follower.look(assistant)
        time.sleep(interval)


def _summary(follower: Follower) -> int:
    """Tell what was done, and what is still wrong; the exit code."""
    failed = [item for item in follower.last.values() if item.failed]
    unchanged = sum(item.state == "unchanged" for item in follower.last.values())
    say(
        f"{follower.new} new, {follower.changed} changed, {unchanged} unchanged, "
        f"{len(failed)} failed"
    )
    for item in failed:
        say(f"{item.file}: {item.reason}")
    return 1 if failed else 0


def _source(folder: Path, file: Path | None = None) -> str:
    """The name under which a document of this folder is known: without what is above the folder."""
    inside = "" if file is None else file.relative_to(folder).as_posix()
    return readable(f"{folder.resolve().name}/{inside}")


def _stamp(file: Path) -> Stamp | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _line(found: Outcome) -> None:
    version = f" version {found.version}" if found.version and found.version > 1 else ""
    reason = f": {found.reason}" if found.reason else ""
    _write(f"{found.state}  {found.file}{version}{reason}")


def _json(found: Outcome) -> None:
    _write(json.dumps(found.row, ensure_ascii=False))


def _write(line: str) -> None:
    """A line above the progress bar, at once."""
    tqdm.write(line, file=sys.stdout)
    sys.stdout.flush()


@contextmanager
def _term_as_interrupt() -> Iterator[None]:
    """Have SIGTERM end the block as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
