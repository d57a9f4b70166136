"""Two worlds: one for a whole module, whose tests leave it as it was, and one for each test."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docrag.settings import Settings
from docrag.testing.oidc import FakeIssuer
from docrag.web import create_app
from docrag.web.extensions import Service
from tests.integration.identity.world import SECRET, World, populate


@contextmanager
def _world(database_url: str) -> Iterator[World]:
    with FakeIssuer() as issuer, tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            instance=Path(folder),
            database_url=database_url,
            secret_key="a secret of this installation",
            embedder="none",
            retriever="lexical",
            frontend_secret=SECRET,
            oidc_issuer=issuer.url,
            oidc_client_id=issuer.client_id,
        )
        app = create_app(settings)
        service: Service = app.extensions["docrag"]
        populate(service.assistant)
        yield World(app=app, assistant=service.assistant, issuer=issuer)
        service.assistant.close()


@pytest.fixture(scope="module")
def world(shared_database_url: str) -> Iterator[World]:
    """A world that the tests of a module share and leave as it was, but for new keys."""
    with _world(shared_database_url) as made:
        yield made


@pytest.fixture
def changing(database_url: str) -> Iterator[World]:
    """A world of the test's own."""
    with _world(database_url) as made:
        yield made
