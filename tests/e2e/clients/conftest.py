"""A docrag as people start it, with models that behave and models that do not."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from docrag.testing.openai import FakeOpenAI
from tests.e2e.clients.running import CLIENTS, Told
from tests.e2e.clients.upstream import speak, think
from tests.e2e.serving import Serving


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A running server, the key of its administrator and the models behind it."""

    url: str
    key: str
    models: Mapping[str, FakeOpenAI]

    @property
    def api(self) -> str:
        """Address that a client is given."""
        return f"{self.url}/v1"


#: Gives what a client told of its cases; each client runs once a session.
Ask = Callable[[str], Told]


def models() -> dict[str, FakeOpenAI]:
    """The model of ``docrag`` by the name ``""``, and those of the aliases."""
    return {
        "": FakeOpenAI(answer=speak),
        "cut": FakeOpenAI(fault="cut"),
        "error": FakeOpenAI(fault="error_line"),
        "endless": FakeOpenAI(fault="no_finish"),
        "odd": FakeOpenAI(fault="odd"),
        "busy": FakeOpenAI(fault="busy"),
        "slow": FakeOpenAI(answer="Evet bu", delay=3.0),
        "thinking": FakeOpenAI(answer=think),
    }


def backend(fake: FakeOpenAI) -> dict[str, Any]:
    """The options of a backend that asks this server."""
    return {"model": fake.model, "url": f"{fake.url}/v1", "context_window": 8192}


@pytest.fixture(scope="session")
def live() -> Iterator[Live]:
    """The server; ended with its database at the end of the session."""
    # Not tmp_path: as root, pytest closes its folders to the account of the database server.
    folder = Path(tempfile.mkdtemp(prefix="docrag-clients-"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        fakes = {name: stack.enter_context(fake) for name, fake in models().items()}
        aliases = {
            name: {"llm": "openai", "options": backend(fake)}
            for name, fake in fakes.items()
            if name
        }
        serving = Serving.start(
            folder / "instance",
            DOCRAG_LLM="openai",
            DOCRAG_LLM_OPTIONS=json.dumps(backend(fakes[""])),
            DOCRAG_LLM_ALIASES=json.dumps(aliases),
            DOCRAG_LLM_RETRIES="0",
            DOCRAG_RATE_PER_MINUTE="0",
            DOCRAG_QUOTA_PER_DAY="0",
        )
        stack.enter_context(serving)
        first = serving.first_run
        yield Live(url=first["url"].rstrip("/"), key=first["api_key"], models=fakes)


@pytest.fixture(scope="session")
def ask(live: Live) -> Ask:
    """What a client told of its cases, by the client's name; skipped where it is absent."""

    @cache
    def run(name: str) -> Told:
        return CLIENTS[name].run(live.api, live.key)

    def told(name: str) -> Told:
        if reason := CLIENTS[name].missing:
            pytest.skip(reason)
        return run(name)

    return told
