"""The API over a real database: upload, ask, permissions, deletion, failures."""

from __future__ import annotations

import io
import json
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.engine import make_url

from docrag.assistant import Assistant
from docrag.testing.ollama import FakeOllama
from docrag.web.extensions import db
from tests.integration.web.conftest import Headers

RULE = "Depoda baret takmak zorunludur. Baret her vardiyada kontrol edilir. Iğdır şubesi dâhildir."
QUESTION = "Depoda baret takmak zorunlu mu?"
FALLBACK = "Bu bilgi belgelerde bulunmuyor."


def upload(client: FlaskClient, admin: Headers, text: str = RULE, *, roles: str = "isg") -> Any:  # noqa: ANN401 - JSON
    """The body of an accepted upload."""
    form = {"file": (io.BytesIO(text.encode()), "baret.txt"), "roles": roles}
    response = client.post("/api/documents", data=form, headers=admin)
    assert response.status_code == 202, response.text
    return response.json


def ask(client: FlaskClient, who: Headers, **more: object) -> Any:  # noqa: ANN401 - JSON
    """The body of an answer."""
    body = {"model": "docrag", "messages": [{"role": "user", "content": QUESTION}], **more}
    response = client.post("/v1/chat/completions", json=body, headers=who)
    assert response.status_code == 200, response.text
    if not more.get("stream"):
        return response.json
    lines = response.get_data().split(b"\n")
    return [json.loads(line[6:]) for line in lines if line.startswith(b"data: {")]


@pytest.fixture
def document_id(client: FlaskClient, admin: Headers, isg: Headers, assistant: Assistant) -> str:
    """A document for isg, ready."""
    made = upload(client, admin)
    assert assistant.work_once()
    found: str = made["id"]
    return found


def test_one_engine_is_made(app: Flask, assistant: Assistant) -> None:
    with app.app_context():
        service = app.extensions["docrag"]
        assert service.engine is db.engine
        assert list(db.engines) == [None]


def test_upload_becomes_an_answer(
    client: FlaskClient, isg: Headers, document_id: str, ollama: FakeOllama
) -> None:
    body = ask(client, isg)
    message = body["choices"][0]["message"]
    assert "[1]" in message["content"]
    assert body["docrag"]["sources"][0]["document_id"] == document_id
    assert message["annotations"][0]["url_citation"]["url"].endswith(document_id)
    assert ollama.chat_calls == 1


def test_job_and_document_are_followed(
    client: FlaskClient, admin: Headers, isg: Headers, assistant: Assistant
) -> None:
    made = upload(client, admin)
    job: Any = client.get(f"/api/jobs/{made['job']}", headers=isg).json
    assert (job["document"], job["state"]) == (made["id"], "queued")
    assert assistant.work_once()
    job = client.get(f"/api/jobs/{made['job']}", headers=isg).json
    assert (job["state"], job["error"]) == ("done", "")
    document: Any = client.get(f"/api/documents/{made['id']}", headers=isg).json
    assert (document["state"], document["roles"]) == ("ready", ["isg"])
    assert document["chunks"] > 0


@pytest.mark.parametrize("stream", [False, True])
def test_b19_deleted_document_answers_no_more(
    client: FlaskClient, admin: Headers, isg: Headers, document_id: str, stream: bool
) -> None:
    ask(client, isg)
    path = f"/api/documents/{document_id}"
    assert client.delete(path, headers=isg).status_code == 403
    assert client.delete(path, headers=admin).status_code == 204
    assert client.delete(path, headers=admin).status_code == 404
    assert FALLBACK in json.dumps(ask(client, isg, stream=stream), ensure_ascii=False)
    assert client.get("/api/documents", headers=admin).json == {"documents": []}


@pytest.mark.parametrize("stream", [False, True])
def test_b20_other_role_learns_nothing(
    client: FlaskClient, ik: Headers, document_id: str, ollama: FakeOllama, stream: bool
) -> None:
    body = json.dumps(ask(client, ik, stream=stream, document_id=document_id), ensure_ascii=False)
    assert FALLBACK in body
    assert not any(word in body for word in (document_id, "baret.txt", "vardiyada", "snippet"))
    assert ollama.chat_calls == 0
    assert client.get("/api/documents", headers=ik).json == {"documents": []}


@pytest.mark.parametrize("path", ["", "/pages/1"])
def test_b20_hidden_looks_like_missing(
    client: FlaskClient, ik: Headers, document_id: str, path: str
) -> None:
    missing = "11111111-1111-4111-8111-111111111111"
    answers = [
        client.get(f"/api/documents/{found}{path}", headers={**ik, "X-Request-Id": "r"})
        for found in (document_id, missing)
    ]
    bodies = [answer.text.replace(document_id, missing) for answer in answers]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert bodies[0] == bodies[1]
    heads = [dict(answer.headers) for answer in answers]
    assert heads[0] == heads[1]


def test_hidden_job_is_not_found(
    client: FlaskClient, admin: Headers, isg: Headers, ik: Headers
) -> None:
    made = upload(client, admin)
    for job in (made["job"], "11111111-1111-4111-8111-111111111111", "yok"):
        assert client.get(f"/api/jobs/{job}", headers=ik).status_code == 404


def test_same_file_twice_is_a_conflict(
    client: FlaskClient, admin: Headers, document_id: str
) -> None:
    form = {"file": (io.BytesIO(RULE.encode()), "kopya.txt"), "roles": "isg"}
    response = client.post("/api/documents", data=form, headers=admin)
    assert response.status_code == 409
    assert response.json is not None
    assert response.json["id"] == document_id
    assert response.json["error"]["code"] == "duplicate_document"


@pytest.mark.parametrize(
    ("data", "name", "roles", "status"),
    [
        (b"", "boş.txt", "isg", 400),
        (b"x", "tablo.xlsx", "isg", 415),
        (b"<!DOCTYPE html><html></html>", "kanun.pdf", "isg", 415),
        (b"metin", "a.txt", "yok", 400),
        (b"metin", "a.txt", "isg'; DROP TABLE users --", 400),
    ],
)
def test_bad_upload_stores_nothing(
    client: FlaskClient,
    admin: Headers,
    isg: Headers,
    data: bytes,
    name: str,
    roles: str,
    status: int,
) -> None:
    form = {"file": (io.BytesIO(data), name), "roles": roles}
    response = client.post("/api/documents", data=form, headers=admin)
    assert response.status_code == status, response.text
    assert client.get("/api/documents", headers=admin).json == {"documents": []}


def test_people_are_managed(client: FlaskClient, admin: Headers, isg: Headers) -> None:
    user = {"username": "çağrı", "password": "uzun bir parola", "roles": ["isg"]}
    assert client.post("/api/roles", json={"name": "üretim"}, headers=admin).status_code == 201
    assert client.post("/api/roles", json={"name": "üretim"}, headers=admin).status_code == 409
    assert client.post("/api/users", json=user, headers=admin).status_code == 201
    assert client.post("/api/users", json=user, headers=admin).status_code == 409
    other = {**user, "username": "ali", "roles": ["yok"]}
    assert client.post("/api/users", json=other, headers=admin).status_code == 400


def test_key_works_until_revoked(client: FlaskClient, isg: Headers) -> None:
    made: Any = client.post("/api/keys", json={"name": "betik"}, headers=isg).json
    fresh = {"Authorization": f"Bearer {made['key']}"}
    assert client.get("/v1/models", headers=fresh).status_code == 200
    assert client.delete(f"/api/keys/{made['id']}", headers=isg).status_code == 204
    assert client.get("/v1/models", headers=fresh).status_code == 401
    assert client.delete(f"/api/keys/{made['id']}", headers=isg).status_code == 404


def test_ready_with_database(client: FlaskClient) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json) == (200, {"status": "ok", "database": "ok"})


def test_lost_database_is_unavailable_until_it_is_back(
    client: FlaskClient, isg: Headers, document_id: str, database_url: str
) -> None:
    url = make_url(database_url)
    admin = url.set(drivername="postgresql", database="postgres")
    with psycopg.connect(
        admin.render_as_string(hide_password=False), autocommit=True
    ) as connection:
        connection.execute(f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS false".encode())
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [url.database],
        )
        lost = [client.get(path, headers=isg) for path in ("/api/documents", "/v1/models")]
        ready, alive = client.get("/readyz"), client.get("/healthz")
        connection.execute(f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS true".encode())
    assert [response.status_code for response in lost] == [503, 503]
    assert all(response.json["error"]["code"] == "service_unavailable" for response in lost)  # type: ignore[index] # a JSON object
    assert (ready.status_code, alive.status_code) == (503, 200)
    assert ready.json == {"status": "unavailable", "database": "unreachable"}
    assert client.get(f"/api/documents/{document_id}", headers=isg).status_code == 200


def test_answer_is_audited(
    client: FlaskClient, isg: Headers, document_id: str, assistant: Assistant
) -> None:
    before = assistant.store.answers.count()
    body = ask(client, isg)
    assert assistant.store.answers.count() == before + 1
    row = assistant.store.answers.get(body["id"].removeprefix("chatcmpl-"))
    assert row.channel == "http"
