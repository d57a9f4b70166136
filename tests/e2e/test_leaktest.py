"""``docrag leaktest`` against a server that keeps its promise, and against one that does not."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from docrag.access.keys import new_key
from docrag.access.passwords import hash_password
from docrag.api import Access
from docrag.assistant import Assistant
from docrag.cli import leaktest, main
from docrag.settings import Settings
from docrag.store.records import Principal
from docrag.web import create_app, documents
from docrag.web.openai import turns

ADMIN = Access.of(["admin"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A running server and the key of its administrator."""

    url: str
    key: str
    assistant: Assistant

    def run(self, *options: str) -> Result:
        """The outcome of the command."""
        arguments = ["leaktest", "--url", self.url, "--admin-key", self.key, *options]
        return CliRunner().invoke(main, arguments)


@pytest.fixture(scope="module")
def target(module_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A server with a worker, both in threads, and one administrator."""
    settings = Settings(
        instance=tmp_path_factory.mktemp("instance"),
        database_url=module_database,
        embedder="hashing",
        secret_key="s" * 40,
    )
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with Assistant.open(settings) as assistant:
        app = create_app(assistant=assistant)
        server = make_server("127.0.0.1", 0, app, threaded=True)
        stop = threading.Event()
        threads = [
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}),
            threading.Thread(target=assistant.work, kwargs={"stop": stop, "poll": 0.05}),
        ]
        for thread in threads:
            thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        yield Target(url=url, key=_administrator(assistant), assistant=assistant)
        server.shutdown()
        stop.set()
        for thread in threads:
            thread.join()


def _administrator(assistant: Assistant) -> str:
    """The key of a new administrator."""
    hashed = hash_password("uzun bir parola")
    assistant.store.users.create("yönetici", password_hash=hashed, roles=["admin"])
    key = new_key()
    assistant.store.keys.create(
        username="yönetici", name="leaktest", key_hash=key.digest, prefix=key.prefix
    )
    return key.secret


@pytest.fixture(scope="module")
def sound(target: Target) -> Result:
    """The outcome on the server as it is."""
    return target.run()


def as_administrator(found: Callable[[], Principal]) -> Callable[[], Principal]:
    """A caller who may read everything, whoever it is."""
    return lambda: replace(found(), access=ADMIN)


def left_over(target: Target) -> list[str]:
    """What a test left behind and was not put out of use."""
    store = target.assistant.store
    people = [user.username for user in store.users.list() if user.active or user.roles]
    roles = [role.name for role in store.roles.list() if not role.retired]
    papers = [document.filename for document in target.assistant.documents(access=ADMIN)]
    keys = [key.username for key in store.keys.list()]
    everything = [*people, *roles, *papers, *keys]
    return [name for name in everything if name.startswith("leaktest-")]


def test_sound_server_has_no_leaks(sound: Result) -> None:
    assert sound.exit_code == 0, sound.output
    assert sound.stdout.splitlines()[-1] == "844 scenarios, 0 leaks"


def test_every_documented_route_is_walked(sound: Result, target: Target) -> None:
    spec = create_app(assistant=target.assistant).test_client().get("/openapi.json").json
    assert spec is not None
    routes = {
        f"{method.upper()} {path}"
        for path, item in spec["paths"].items()
        for method in item
        if method != "parameters"
    }
    walked = {line.split("  ")[0] for line in sound.stdout.splitlines()[1:-1]}

    assert walked == routes


@pytest.mark.parametrize(
    ("route", "own"),
    [
        ("GET /api/documents", 4),
        ("GET /api/documents/{document_id}/pages/{number}", 8),
        ("POST /v1/chat/completions", 40),
    ],
)
def test_owners_see_their_own(sound: Result, route: str, own: int) -> None:
    heads, *lines = [re.split(" {2,}", line) for line in sound.stdout.splitlines()[:-1]]
    row = next(dict(zip(heads, cells, strict=True)) for cells in lines if cells[0] == route)

    assert row["own"] == str(own)


def test_sound_server_is_left_clean(sound: Result, target: Target) -> None:
    assert left_over(target) == []


def test_broken_filter_is_caught(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (documents, turns):
        monkeypatch.setattr(module, "principal", as_administrator(module.principal))
    outcome = target.run("--json")
    found = json.loads(outcome.stdout)
    foreign = {row["route"]: row["foreign"] for row in found["rows"]}

    assert outcome.exit_code == 1
    assert found["leaks"] == sum(foreign.values())
    assert foreign["GET /api/documents/{document_id}"] > 0
    assert foreign["POST /v1/chat/completions"] > 0
    assert foreign["GET /api/jobs/{job_id}"] == 0
    assert left_over(target) == []


def test_interrupt_removes_everything(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(leaktest, "walk", interrupted)
    outcome = target.run()

    assert outcome.exit_code != 0
    assert left_over(target) == []


def test_wrong_key_is_one_line(target: Target) -> None:
    outcome = replace(target, key="dk-wrong").run()

    assert outcome.exit_code == 1
    assert "gave 401 with the administrator's key" in outcome.stderr
    assert "not removed" not in outcome.stderr


def test_absent_server_is_one_line(target: Target, tmp_path: Path) -> None:
    outcome = replace(target, url="http://127.0.0.1:1").run()

    assert outcome.exit_code == 1
    assert "did not reach the server" in outcome.stderr
