"""Versions, days and watched folders on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import psycopg
import pytest
from click.testing import CliRunner, Result
from sqlalchemy.engine import make_url

from docrag.assistant import Assistant
from docrag.cli import main
from docrag.cli.taking import Outcome, Taking

Docrag: TypeAlias = Callable[..., Result]
OLD, NEW = "Yıllık izin on dört gündür.", "Yıllık izin yirmi gündür."
QUESTION = "Yıllık izin kaç gündür?"


@pytest.fixture
def env(database_url: str, tmp_path: Path) -> dict[str, str]:
    """Variables of every command; search goes by words."""
    return {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "none",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
    }


@pytest.fixture
def docrag(env: dict[str, str]) -> Docrag:
    """Runs a command on a database of its own that knows one role."""

    def run(*arguments: str, **more: Any) -> Result:  # noqa: ANN401 - options of the runner
        return CliRunner().invoke(main, arguments, env=env, **more)

    assert run("role", "create", "isg").exit_code == 0
    return run


def take(docrag: Docrag, file: Path, words: str, *options: str) -> dict[str, Any]:
    """The row of a file that was taken in."""
    file.write_text(words)
    result = docrag("ingest", str(file), *options, "--json")
    assert result.exit_code == 0, result.output
    [row] = json.loads(result.stdout)
    found: dict[str, Any] = row
    return found


@pytest.fixture
def versions(docrag: Docrag, tmp_path: Path) -> list[str]:
    """Identifiers of two versions of a document, of which the second began in 2015."""
    first = take(docrag, tmp_path / "izin.txt", OLD, "--role", "isg")
    more = ["--replaces", first["id"], "--valid-from", "2015-04-01"]
    second = take(docrag, tmp_path / "yeni.txt", NEW, *more)
    assert (second["state"], second["version"]) == ("ready", 2)
    return [first["id"], second["id"]]


def answer(docrag: Docrag, *options: str) -> str:
    return str(docrag("ask", QUESTION, "--role", "isg", *options).stdout)


@pytest.mark.parametrize(
    ("options", "days"),
    [((), "yirmi"), (("--on", "2015-04-01"), "yirmi"), (("--on", "2015-03-31"), "on dört")],
)
def test_answers_come_from_the_version_of_the_day(
    docrag: Docrag, versions: list[str], options: tuple[str, ...], days: str
) -> None:
    assert days in answer(docrag, *options)
    found = json.loads(docrag("search", "izin", "--role", "isg", "--json", *options).stdout)
    assert [days in hit["chunk"]["text"] for hit in found] == [True]


def test_versions_are_listed_and_shown(docrag: Docrag, versions: list[str]) -> None:
    listed = docrag("documents", "list").stdout.splitlines()
    assert len(listed) == 3
    assert "2015-04-01 – …" in listed[1]
    assert "ready, not in force" in listed[2]
    shown = json.loads(docrag("documents", "show", versions[0], "--json").stdout)
    assert {item["id"] for item in shown["versions"]} == set(versions)
    assert shown["document"]["valid_to"] == "2015-03-31"
    assert "2015-04-01 – …" in docrag("documents", "show", versions[0]).stdout


def test_deleted_version_gives_way_to_the_one_before(docrag: Docrag, versions: list[str]) -> None:
    assert docrag("documents", "delete", versions[1]).exit_code == 0
    assert "on dört" in answer(docrag)
    assert docrag("documents", "delete", versions[1]).exit_code == 1


def test_days_are_set(docrag: Docrag, versions: list[str]) -> None:
    result = docrag("documents", "set-dates", versions[1], "--valid-to", "2020-01-01")
    assert "… – 2020-01-01" in result.stderr
    assert "yirmi" in answer(docrag, "--on", "2014-01-01")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["ask", QUESTION, "--role", "isg", "--on", "1.4.2015"], "such as 2015-04-01"),
        (["ingest", "{file}"], "Missing option '--role'"),
        (["ingest", "{file}", "--role", "isg", "--valid-to", "yarın"], "such as 2015-04-01"),
        (["ingest", "{file}", "{file}", "--replaces", "x"], "--replaces is for one file"),
        (["ingest", "{file}", "--role", "isg", "--watch"], "--watch needs folders"),
        (["ingest", "{folder}", "--replaces", "x", "--watch"], "--watch takes no title"),
        (["ingest", "yok.pdf", "--role", "isg"], "Path 'yok.pdf' does not exist"),
    ],
)
def test_wrong_usage_is_told(
    docrag: Docrag, tmp_path: Path, command: list[str], message: str
) -> None:
    (tmp_path / "izin.txt").write_text(OLD)
    places = {"file": tmp_path / "izin.txt", "folder": tmp_path}
    result = docrag(*(word.format(**places) for word in command))
    assert result.exit_code == 2
    assert message in result.stderr


def test_impossible_days_fail_the_file(docrag: Docrag, tmp_path: Path) -> None:
    (tmp_path / "izin.txt").write_text(OLD)
    days = ["--valid-from", "2015-04-01", "--valid-to", "2015-03-31"]
    result = docrag("ingest", str(tmp_path / "izin.txt"), "--role", "isg", *days)
    assert result.exit_code == 1
    assert "valid_from is 2015-04-01, later than valid_to" in result.stdout


def test_pattern_is_queued_for_a_worker(docrag: Docrag, tmp_path: Path) -> None:
    for name, words in (("a.txt", OLD), ("b.txt", NEW), ("c.xyz", "x")):
        (tmp_path / name).write_text(words)
    result = docrag("ingest", str(tmp_path / "*"), "--role", "isg", "--no-wait", "--json")
    assert [row["state"] for row in json.loads(result.stdout)] == ["queued", "queued"]


@contextmanager
def watching(env: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that watches a folder; killed if it is not stopped in the block."""
    options = ["--role", "isg", "--watch", "--interval", "0.2", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "docrag.cli", "ingest", str(folder), *options],
        env={**env, "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next thing that it tells."""
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def cut_off(url: str, *, seconds: float) -> None:
    """Take a database away for a while, as a restart does."""
    address = make_url(url)
    name = address.database
    server = address.set(drivername="postgresql", database="postgres")
    with psycopg.connect(
        server.render_as_string(hide_password=False), autocommit=True
    ) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        time.sleep(seconds)
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


@pytest.mark.timeout(60)
def test_folder_is_watched_until_it_is_stopped(
    docrag: Docrag, env: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "belgeler"
    folder.mkdir()
    (folder / "izin.txt").write_text(OLD)
    with watching(env, folder) as process:
        assert line(process)["state"] == "ready"
        cut_off(env["DATABASE_URL"], seconds=1)
        (folder / "izin.txt").write_text(NEW)
        assert line(process)["version"] == 2
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=20)[1]
    assert process.returncode == 0
    assert "1 new, 1 changed, 0 unchanged, 0 failed" in told
    assert "yirmi" in answer(docrag)


def test_document_to_replace_must_be_named(docrag: Docrag, tmp_path: Path) -> None:
    (tmp_path / "izin.txt").write_text(OLD)
    result = docrag("ingest", str(tmp_path / "izin.txt"), "--role", "isg", "--replaces", "")
    assert (result.exit_code, "--replaces is empty" in result.stderr) == (2, True)


def test_file_that_is_stored_for_others_is_opened_as_told(docrag: Docrag, tmp_path: Path) -> None:
    assert docrag("role", "create", "ik").exit_code == 0
    first = take(docrag, tmp_path / "izin.txt", OLD, "--role", "isg")
    again = take(docrag, tmp_path / "izin.txt", OLD, "--role", "ik")
    assert again["state"] == "unchanged"
    assert "stored for isg; ik cannot read it, see `docrag documents set-roles" in again["reason"]
    opened = docrag("documents", "set-roles", first["id"], "--role", "isg,ik")
    assert opened.exit_code == 0, opened.output
    assert docrag("search", QUESTION, "--role", "ik").exit_code == 0
    assert take(docrag, tmp_path / "izin.txt", OLD, "--role", "ik")["reason"] == ""


def test_interrupted_ingest_tells_what_is_stored(
    docrag: Docrag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{OLD} {name}")
    taken = Taking.take

    def take_one(self: Taking, assistant: Assistant, file: Path, **more: Any) -> Outcome:  # noqa: ANN401 - as it takes them
        if file.name == "b.txt":
            raise KeyboardInterrupt
        return taken(self, assistant, file, **more)

    monkeypatch.setattr(Taking, "take", take_one)
    result = docrag("ingest", str(tmp_path / "*.txt"), "--role", "isg")
    assert result.exit_code == 130
    assert "interrupted: 1 of 2 files are stored" in result.stderr
