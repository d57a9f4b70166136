"""An app with pages on a real database, people in it, and browsers without a screen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.engine import make_url
from werkzeug.test import TestResponse

from docrag.access.passwords import hash_password
from docrag.access.tokens import stamp_of
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store import Store
from docrag.web import create_app
from docrag.web.extensions import Service
from docrag.web.pages.session import SINCE, STAMP

#: The password of everybody; hashed once, since hashing is made to be slow.
PASSWORD = "doğru at pil zımba"
HASH = hash_password(PASSWORD)
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')

MakeApp = Callable[..., Flask]


class Browser:
    """What a person's browser does: keeps cookies and sends the token of the form it shows."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **more: Any) -> TestResponse:  # noqa: ANN401 - any argument
        return self.client.get(path, **more)

    def text(self, path: str) -> str:
        """A page that is there."""
        response = self.get(path)
        assert response.status_code == 200, response.status
        return response.get_data(as_text=True)

    def token(self) -> str:
        """The token of the forms of this session."""
        found = _TOKEN.search(self.get("/signin", follow_redirects=True).get_data(as_text=True))
        assert found is not None
        return found.group(1)

    def post(self, path: str, **fields: Any) -> TestResponse:  # noqa: ANN401 - form fields
        """Send a form with its token."""
        fields = {"csrf_token": self.token(), **fields}
        response = self.client.post(path, data=fields)
        # Werkzeug's client leaves the temporary file of a long body open.
        response.request.input_stream.close()
        return response

    def sign_in(self, username: str, password: str = PASSWORD, **fields: str) -> TestResponse:
        return self.post("/signin", username=username, password=password, **fields)


@pytest.fixture(scope="module")
def make_app(
    shared_database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MakeApp]:
    """Make an app with other settings than usual; its assistant is closed after the module."""
    made: list[Flask] = []
    usual = {
        "instance": tmp_path_factory.mktemp("instance"),
        "database_url": shared_database_url,
        "secret_key": "s" * 32,
        "embedder": "hashing",
        "retriever": "lexical",
        "upload_limit": 1,
        "pool_size": 2,
    }

    def make(**settings: Any) -> Flask:  # noqa: ANN401 - settings
        made.append(create_app(Settings(**{**usual, **settings})))
        return made[-1]

    yield make
    for app in made:
        service: Service = app.extensions["docrag"]
        service.assistant.close()


@pytest.fixture(scope="module")
def usual_app(make_app: MakeApp) -> Flask:
    """An app with the usual settings, for the whole module."""
    return make_app()


@pytest.fixture
def app(usual_app: Flask, shared_database_url: str) -> Flask:
    """The app with an empty database."""
    address = make_url(shared_database_url).set(drivername="postgresql")
    with psycopg.connect(address.render_as_string(hide_password=False)) as connection:
        connection.execute(
            "TRUNCATE users, documents, answers, login_throttle, group_roles CASCADE"
        )
        connection.execute("DELETE FROM roles WHERE name <> 'admin'")
    return usual_app


@pytest.fixture
def assistant(app: Flask) -> Assistant:
    """The assistant of the app."""
    service: Service = app.extensions["docrag"]
    return service.assistant


@pytest.fixture
def store(assistant: Assistant) -> Store:
    """The store of the app, with two roles and three people."""
    store = assistant.store
    for role in ("isg", "ik"):
        store.roles.create(role)
    for name, roles in (("yönetici", ["admin"]), ("ayşe", ["isg"]), ("ışık", ["ik", "isg"])):
        store.users.create(name, password_hash=HASH, roles=roles)
    return store


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser of somebody who is not signed in."""
    return Browser(app.test_client())


@pytest.fixture
def ayse(app: Flask, store: Store) -> Browser:
    """A browser of Ayşe, who has the role isg."""
    return _signed_in(app, "ayşe")


@pytest.fixture
def isik(app: Flask, store: Store) -> Browser:
    """A browser of Işık, who has the roles ik and isg."""
    return _signed_in(app, "ışık")


@pytest.fixture
def admin(app: Flask, store: Store) -> Browser:
    """A browser of an administrator."""
    return _signed_in(app, "yönetici")


def _signed_in(app: Flask, username: str) -> Browser:
    """A browser with a session as signing in makes it, without the cost of a password."""
    browser = Browser(app.test_client())
    with browser.client.session_transaction() as session:
        session.update(
            {SINCE: int(time.time()), STAMP: stamp_of(HASH, secret=str(app.secret_key))},
            _user_id=username,
            _fresh=True,
        )
    return browser
