"""Limits that several processes share, and what the audit keeps of a question over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, text
from werkzeug.test import TestResponse

from docrag.access.keys import new_key
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store import Store
from docrag.web import create_app
from docrag.web.extensions import KEY
from tests.integration.web.conftest import Headers

BODY = {"model": "docrag", "messages": [{"role": "user", "content": "Baret zorunlu mu?"}]}
MAIL = "ayse@example.org"
Ask = Callable[..., TestResponse]


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """Two questions a minute, ten a day; questions are kept."""
    return Settings(
        instance=tmp_path,
        database_url=database_url,
        embedder="none",
        retriever="lexical",
        rate_per_minute=2,
        quota_per_day=10,
        keep_questions=True,
    )


@pytest.fixture
def apps(settings: Settings) -> Iterator[list[Flask]]:
    """Two apps on one database, as two worker processes have them."""
    both = [create_app(settings), create_app(settings)]
    yield both
    for app in both:
        app.extensions[KEY].assistant.close()


@pytest.fixture
def assistant(apps: list[Flask]) -> Assistant:
    """The assistant of the first app."""
    found: Assistant = apps[0].extensions[KEY].assistant
    return found


@pytest.fixture
def clients(apps: list[Flask]) -> list[FlaskClient]:
    """A client of each app."""
    return [app.test_client() for app in apps]


def ask(client: FlaskClient, headers: Headers, **more: object) -> TestResponse:
    """Ask the usual question."""
    return client.post("/v1/chat/completions", json={**BODY, **more}, headers=headers)


def key_of(store: Store, username: str, *, kind: str = "user", **more: str) -> Headers:
    """Headers with a new key of a user."""
    key, roles = new_key(), ("isg",) if kind == "service" else ()
    store.keys.create(
        username=username,
        name=f"{kind} anahtarı",
        key_hash=key.digest,
        prefix=key.prefix,
        kind=kind,
        method="headers" if kind == "frontend" else None,
        roles=roles,
    )
    return {"Authorization": f"Bearer {key.secret}", **more}


def test_processes_count_together(clients: list[FlaskClient], isg: Headers) -> None:
    one, two = clients

    assert [ask(client, isg).status_code for client in (one, two, one, two)] == [200, 200, 429, 429]


def test_streams_count_as_well(clients: list[FlaskClient], isg: Headers) -> None:
    statuses = [ask(clients[0], isg, stream=True).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]


def test_keys_of_a_user_count_together(
    clients: list[FlaskClient], isg: Headers, assistant: Assistant
) -> None:
    second = key_of(assistant.store, "kişi-isg")

    assert [ask(clients[0], who).status_code for who in (isg, second, isg)] == [200, 200, 429]


def test_service_does_not_use_its_owner_up(
    clients: list[FlaskClient], isg: Headers, assistant: Assistant
) -> None:
    service = key_of(assistant.store, "kişi-isg", kind="service")
    calls = [service, service, service, isg]

    assert [ask(clients[0], who).status_code for who in calls] == [200, 200, 429, 200]


def test_people_behind_a_front_end_count_for_themselves(
    clients: list[FlaskClient], isg: Headers, ik: Headers, assistant: Assistant
) -> None:
    users = assistant.store.users
    users.set_email("kişi-ik", MAIL)
    users.set_email("kişi-isg", "ali@example.org")
    front = key_of(assistant.store, "kişi-isg", kind="frontend")
    ayse = {**front, "X-OpenWebUI-User-Email": MAIL}
    ali = {**front, "X-OpenWebUI-User-Email": "ali@example.org"}
    calls = [ayse, ayse, ayse, ali]

    assert [ask(clients[0], who).status_code for who in calls] == [200, 200, 429, 200]


def test_next_minute_is_open(clients: list[FlaskClient], isg: Headers, engine: Engine) -> None:
    for _ in range(3):
        ask(clients[0], isg)
    with engine.begin() as connection:
        connection.execute(text("UPDATE rate_limits SET expires_at = now() WHERE key ~ 'minute'"))

    assert ask(clients[0], isg).status_code == 200


def test_retry_after_is_within_the_minute(clients: list[FlaskClient], isg: Headers) -> None:
    refused = [ask(clients[0], isg) for _ in range(3)][-1]

    assert 50 <= int(refused.headers["Retry-After"]) <= 60


def test_lost_counters_stop_the_question(
    clients: list[FlaskClient], isg: Headers, engine: Engine
) -> None:
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE rate_limits"))

    assert ask(clients[0], isg).status_code == 500


def test_audit_names_front_end_and_keeps_the_question(
    clients: list[FlaskClient], isg: Headers, assistant: Assistant
) -> None:
    assistant.store.users.set_email("kişi-isg", MAIL)
    front = key_of(assistant.store, "kişi-isg", kind="frontend")
    assert ask(clients[0], {**front, "X-OpenWebUI-User-Email": MAIL}).status_code == 200
    (entry,) = assistant.store.answers.list(limit=5)

    assert (entry.username, entry.key_name) == ("kişi-isg", "frontend anahtarı")
    assert (entry.answer.frontend, entry.answer.channel) == ("frontend anahtarı", "http")
    assert entry.answer.question == "Baret zorunlu mu?"
