"""An app on a real database, with a fake Ollama behind it and a user for each role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from docrag.access.keys import new_key
from docrag.access.passwords import hash_password
from docrag.api import NameTaken
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.testing.ollama import FakeOllama
from docrag.web import create_app
from docrag.web.extensions import Service

Headers = dict[str, str]


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    """The model's server."""
    with FakeOllama() as server:
        yield server


@pytest.fixture
def app(database_url: str, tmp_path: Path, ollama: FakeOllama) -> Iterator[Flask]:
    """An app that made its own engine and assistant."""
    app = create_app(
        Settings(
            instance=tmp_path,
            database_url=database_url,
            embedder="hashing",
            llm="ollama",
            llm_options={"url": ollama.url},
            upload_limit=1,
        )
    )
    yield app
    service: Service = app.extensions["docrag"]
    service.assistant.close()


@pytest.fixture
def assistant(app: Flask) -> Assistant:
    """The assistant of the app."""
    service: Service = app.extensions["docrag"]
    return service.assistant


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client without a key."""
    return app.test_client()


@pytest.fixture
def caller(assistant: Assistant) -> Callable[[str], Headers]:
    """Headers of a new user who has one role, which is made if needed."""

    def make(role: str) -> Headers:
        store = assistant.store
        try:
            store.roles.create(role)
        except NameTaken:
            pass
        user = store.users.create(
            f"kişi-{role}", password_hash=hash_password(role * 8), roles=[role]
        )
        key = new_key()
        store.keys.create(
            username=user.username, name="test", key_hash=key.digest, prefix=key.prefix
        )
        return {"Authorization": f"Bearer {key.secret}"}

    return make


@pytest.fixture
def admin(caller: Callable[[str], Headers]) -> Headers:
    """Headers of an administrator."""
    return caller("admin")


@pytest.fixture
def isg(caller: Callable[[str], Headers]) -> Headers:
    """Headers of a user with the role isg."""
    return caller("isg")


@pytest.fixture
def ik(caller: Callable[[str], Headers]) -> Headers:
    """Headers of a user with the role ik."""
    return caller("ik")
