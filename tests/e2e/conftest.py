"""A served app as it runs for people: gunicorn, a database, a fake Ollama, two roles."""

from __future__ import annotations

import copy
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from jsonschema import Draft202012Validator as Validator
from openai import OpenAI
from sqlalchemy.engine import URL

from docrag.access.keys import new_key
from docrag.access.passwords import hash_password
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.testing.ollama import FakeOllama
from tests.e2e.serving import PATIENCE

#: Validators of OpenAI's schemas by name.
Schemas = dict[str, Validator]

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("DATA", ROOT.parent / "shared" / "data"))
QUESTION = "İşveren risk değerlendirmesi yapmakla yükümlü müdür?"
LEAVE = "# Yıllık izin\n\nYıllık izin için form doldurulur. İzin en az on beş gündür.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A running server and what a test needs to talk to it."""

    url: str
    admin_key: str
    isg_key: str
    ik_key: str
    ollama: FakeOllama
    assistant: Assistant
    law_id: str
    law: bytes

    def client(self, key: str = "") -> OpenAI:
        """OpenAI's client, for the isg user unless told otherwise; it never tries twice."""
        return OpenAI(base_url=f"{self.url}/v1", api_key=key or self.isg_key, max_retries=0)

    def headers(self, key: str = "") -> dict[str, str]:
        """Headers of the isg user unless told otherwise."""
        return {"Authorization": f"Bearer {key or self.isg_key}"}

    def post(self, *, key: str = "", **body: Any) -> requests.Response:  # noqa: ANN401 - JSON
        """A chat request with the usual question; the response may be streamed."""
        question = [{"role": "user", "content": QUESTION}]
        return requests.post(
            f"{self.url}/v1/chat/completions",
            json={"model": "docrag", "messages": question, **body},
            headers=self.headers(key),
            stream=True,
            timeout=60,
        )


@pytest.fixture(scope="module")
def law() -> bytes:
    """The Turkish safety law as a PDF; skipped where the shared data are absent."""
    path = DATA / "docs" / "tr" / "kanun_6331.pdf"
    if not path.is_file():
        pytest.skip(f"SHARED TEST DATA ABSENT: no {path.name}; set DATA")
    return path.read_bytes()


@pytest.fixture(scope="module")
def module_database(database_server: URL, migrated_template: str) -> Iterator[str]:
    """Address of a migrated database that one module of tests uses."""
    name = f"docrag_e2e_{uuid.uuid4().hex[:12]}"
    admin = database_server.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {migrated_template}".encode())
        yield database_server.set(database=name).render_as_string(hide_password=False)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(scope="module")
def served(module_database: str, law: bytes) -> Iterator[Served]:
    """The server, with the law for isg and a leave procedure for ik."""
    with FakeOllama() as ollama, tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            instance=Path(folder),
            database_url=module_database,
            embedder="hashing",
            retriever="lexical",
            llm="ollama",
            llm_options={"url": ollama.url},
            pool_size=5,
        )
        with Assistant.open(settings) as assistant:
            keys = {role: _user(assistant, role) for role in ("admin", "isg", "ik", "personel")}
            assistant.ingest(LEAVE.encode(), filename="izin.md", roles=["ik"])
            document = assistant.ingest(law, filename="kanun_6331.pdf", roles=["isg", "personel"])
            with _gunicorn(settings) as url:
                yield Served(
                    url=url,
                    admin_key=keys["admin"],
                    isg_key=keys["isg"],
                    ik_key=keys["ik"],
                    ollama=ollama,
                    assistant=assistant,
                    law_id=document.id,
                    law=law,
                )


@pytest.fixture(autouse=True)
def calm_ollama(request: pytest.FixtureRequest) -> None:
    """The model's server works again and its counters are at zero, before each test."""
    if "served" in request.fixturenames:
        ollama: FakeOllama = request.getfixturevalue("served").ollama
        ollama.answer, ollama.fault, ollama.delay, ollama.chat_calls = None, "", 0.0, 0
        ollama.disconnected.clear()


@pytest.fixture(scope="session")
def openai_schemas() -> Schemas:
    """Validators of OpenAI's own schemas by name; skipped where the specification is absent."""
    path = DATA / "openai" / "openapi.json"
    if not path.is_file():
        pytest.skip(f"SHARED TEST DATA ABSENT: no openai/{path.name}; set DATA")
    spec = json.loads(path.read_text("utf-8"))
    names = (
        "CreateChatCompletionStreamResponse",
        "CreateChatCompletionResponse",
        "ListModelsResponse",
        "Model",
        "ErrorResponse",
        "Response",
        "ResponseStreamEvent",
        "CreateEmbeddingResponse",
    )
    return {name: _validator(spec["components"]["schemas"], name) for name in names}


def _validator(schemas: dict[str, Any], name: str) -> Validator:
    """A validator of one schema with the definitions that it reaches, nullable converted."""
    reached: dict[str, Any] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached[current] = _converted(copy.deepcopy(schemas[current]), waiting)
    return Validator({"$ref": f"#/$defs/{name}", "$defs": reached})


def _converted(node: Any, reached: list[str]) -> Any:  # noqa: ANN401 - any JSON schema
    """A 3.0-style schema as JSON Schema; names of definitions that it uses are added."""
    if isinstance(node, list):
        return [_converted(item, reached) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: _converted(value, reached) for key, value in node.items() if key != "nullable"}
    reference = found.get("$ref")
    if isinstance(reference, str):
        target = reference.rpartition("/")[2]
        reached.append(target)
        found["$ref"] = f"#/$defs/{target}"
    return {"anyOf": [found, {"type": "null"}]} if node.get("nullable") is True else found


def _user(assistant: Assistant, role: str) -> str:
    """The key of a new user with one role."""
    if role not in {known.name for known in assistant.store.roles.list()}:
        assistant.store.roles.create(role)
    hashed = hash_password("uzun bir parola")
    user = assistant.store.users.create(f"kişi-{role}", password_hash=hashed, roles=[role])
    key = new_key()
    assistant.store.keys.create(
        username=user.username, name="e2e", key_hash=key.digest, prefix=key.prefix
    )
    return key.secret


class _gunicorn:  # noqa: N801 - a context manager, used like a function
    """A gunicorn of these settings in a process of its own; gives its address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> str:
        with socket.socket() as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(("127.0.0.1", 0))
            sock.listen(128)
            url = f"http://127.0.0.1:{sock.getsockname()[1]}"
            options = ("-k", "gthread", "--threads", "40", "--bind", f"fd://{sock.fileno()}")
            self._process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "--no-control-socket", *options, "wsgi:app"],
                cwd=ROOT,
                env=_environment(self._settings),
                pass_fds=(sock.fileno(),),
            )
        self._await(url)
        return url

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=120)

    def _await(self, url: str) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self._process is not None and self._process.poll() is None, "gunicorn ended"
            try:
                if requests.get(f"{url}/readyz", timeout=30).ok:
                    return
            except requests.RequestException:
                time.sleep(0.2)
        raise TimeoutError("gunicorn did not become ready")


def _environment(settings: Settings) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": settings.database_url,
        "SECRET_KEY": "test-" * 10,
        "DOCRAG_INSTANCE": str(settings.instance),
        "DOCRAG_EMBEDDER": settings.embedder,
        "DOCRAG_RETRIEVER": settings.retriever,
        "DOCRAG_LLM": settings.llm,
        "DOCRAG_LLM_OPTIONS": json.dumps(dict(settings.llm_options)),
        "DOCRAG_POOL_SIZE": str(settings.pool_size),
        # One person asks everything here.
        "DOCRAG_RATE_PER_MINUTE": "0",
        "OMP_NUM_THREADS": "1",
    }
