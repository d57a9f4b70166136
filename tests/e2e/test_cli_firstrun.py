from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docrag import Assistant, samples
from docrag.access.keys import digest
from docrag.access.passwords import verify_password
from docrag.api import ADMIN_ROLE, Access, StoreError, StoreUnavailable
from docrag.cli import firstrun
from docrag.cli.firstrun import first_run
from docrag.settings import Settings
from docrag.store.keys import Keys

URL = "http://127.0.0.1:8000"


@pytest.fixture
def assistant(database_url: str, tmp_path: Path) -> Iterator[Assistant]:
    """An assistant on an empty, migrated database."""
    settings = Settings(database_url=database_url, instance=tmp_path, embedder="hashing")
    with Assistant.open(settings) as assistant:
        yield assistant


def refuse(*_: object, **__: object) -> None:
    """What a database does that goes away."""
    raise StoreUnavailable("the database went away")


def test_first_run_makes_an_admin(assistant: Assistant) -> None:
    made = first_run(assistant, url=URL)
    assert made is not None
    stored = assistant.store.users.password_hash("admin")
    assert verify_password(stored, made.credentials.admin_password)
    principal = assistant.store.keys.principal(digest(made.credentials.api_key))
    assert principal is not None
    assert principal.access.is_admin
    assert [key.name for key in assistant.store.keys.list()] == ["ilk kurulum"]


def test_first_run_happens_once(assistant: Assistant) -> None:
    assert first_run(assistant, url=URL) is not None
    assert first_run(assistant, url=URL) is None


def test_first_run_queues_the_samples(assistant: Assistant) -> None:
    made = first_run(assistant, url=URL)
    assert made is not None
    assert len(made.samples) == len(samples.manifest())
    assert firstrun.settled(assistant, made.samples) == {}
    while assistant.work_once():
        pass
    assert set(firstrun.settled(assistant, made.samples)) == set(made.samples)


def test_first_run_leaves_a_used_database_alone(assistant: Assistant) -> None:
    assistant.store.users.create(username="ayşe", password_hash="x", roles=[])
    assert first_run(assistant, url=URL) is None
    assert not (assistant.settings.instance / firstrun.FILENAME).exists()


@pytest.mark.parametrize("broken", ["keys", "samples"])
def test_broken_first_run_is_taken_up(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    with monkeypatch.context() as patch:
        if broken == "keys":
            patch.setattr(Keys, "create", refuse)
        else:
            patch.setattr(Assistant, "upload", refuse)
        with pytest.raises(StoreUnavailable):
            first_run(assistant, url=URL)
    drafted = json.loads((assistant.settings.instance / firstrun.DRAFT).read_text("utf-8"))
    made = first_run(assistant, url=URL)
    assert made is not None
    assert made.credentials.admin_password == drafted["admin_password"]
    assert assistant.store.keys.principal(digest(drafted["api_key"])) is not None
    assert len(assistant.documents(access=Access.of([ADMIN_ROLE]))) == len(made.samples)


def write_kept(folder: Path, text: str) -> Path:
    """The file of an earlier first run."""
    (path := folder / firstrun.FILENAME).write_text(text, "utf-8")
    return path


def test_renewed_url_leaves_the_rest(tmp_path: Path) -> None:
    kept = {"url": URL, "admin_password": "değişti", "api_key": "dk-1", "not": "İş"}
    path = write_kept(tmp_path, json.dumps(kept))
    path.chmod(0o644)
    firstrun.renew_url(tmp_path, "http://127.0.0.1:8123")
    assert json.loads(path.read_text("utf-8")) == {**kept, "url": "http://127.0.0.1:8123"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "İş" in path.read_text("utf-8")
    assert {item.name for item in tmp_path.iterdir()} == {firstrun.FILENAME, firstrun.LOCK}


@pytest.mark.parametrize(
    "text",
    [f'{{"url":"{URL}"}}', '{"api_key": "dk-1"}', "[1]", "not JSON", "", '"url"', "[" * 100_000],
)
def test_url_is_renewed_in_a_file_of_docrag_alone(tmp_path: Path, text: str) -> None:
    path = write_kept(tmp_path, text)
    firstrun.renew_url(tmp_path, URL)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("key", ["\\ud800", "not"])
def test_file_that_cannot_be_written_again_is_left_alone(tmp_path: Path, key: str) -> None:
    text = f'{{"url": "https://x", "admin_password": "gizli", "{key}": "\\ud800"}}'
    path = write_kept(tmp_path, text)
    firstrun.renew_url(tmp_path, URL)
    assert path.read_text("utf-8") == text
    assert {item.name for item in tmp_path.iterdir()} == {firstrun.FILENAME, firstrun.LOCK}


def test_removed_file_stays_removed(tmp_path: Path) -> None:
    firstrun.renew_url(tmp_path, URL)
    assert list(tmp_path.iterdir()) == []


def test_linked_file_is_left_alone(tmp_path: Path) -> None:
    (elsewhere := tmp_path / "elsewhere.json").write_text('{"url": "https://x"}', "utf-8")
    (tmp_path / firstrun.FILENAME).symlink_to(elsewhere)
    firstrun.renew_url(tmp_path, URL)
    assert (tmp_path / firstrun.FILENAME).is_symlink()
    assert elsewhere.read_text("utf-8") == '{"url": "https://x"}'


def test_signing_key_is_made_once(tmp_path: Path) -> None:
    assert firstrun.secret_key(tmp_path) == firstrun.secret_key(tmp_path)


def test_first_run_refuses_an_instance_whose_database_is_gone(assistant: Assistant) -> None:
    kept = assistant.settings.instance / firstrun.FILENAME
    kept.write_text("{}", "utf-8")
    with pytest.raises(StoreError, match="bring the database back"):
        first_run(assistant, url=URL)
    assert kept.read_text("utf-8") == "{}"
    assert assistant.store.users.list() == []


def test_first_runs_at_once_make_one_admin(assistant: Assistant) -> None:
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda _: first_run(assistant, url=URL), range(2)))
    (made,) = [item for item in ended if item is not None]
    kept = json.loads((assistant.settings.instance / firstrun.FILENAME).read_text("utf-8"))
    assert kept["api_key"] == made.credentials.api_key
    assert assistant.store.keys.principal(digest(kept["api_key"])) is not None
