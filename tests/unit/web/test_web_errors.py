"""The error table: status, machine code and shape of every failure."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from gunicorn.http.errors import InvalidChunkSize, NoMoreData

from docrag.api import (
    AccessDenied,
    DocumentError,
    DocumentNotFound,
    DuplicateDocument,
    EmbedderError,
    LastAdmin,
    LLMError,
    LLMRefused,
    LLMTimeout,
    LLMUnavailable,
    LoaderError,
    NameTaken,
    PromptTooLong,
    RerankerError,
    StoreError,
    StoreUnavailable,
    UnknownName,
    UnsupportedDocument,
)
from docrag.web.errors import describe

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (AccessDenied("x"), 403, "permission_denied"),
        (DocumentNotFound("x"), 404, "document_not_found"),
        (DuplicateDocument("id", "a.pdf"), 409, "duplicate_document"),
        (NameTaken("user", "ayşe"), 409, "name_taken"),
        (LastAdmin("ayşe"), 409, "last_admin"),
        (UnsupportedDocument("x"), 415, "unsupported_document_type"),
        (LoaderError("x"), 400, "invalid_document"),
        (DocumentError("x"), 400, "invalid_document"),
        (UnknownName("role", "x"), 400, "unknown_name"),
        (PromptTooLong("x"), 400, "context_length_exceeded"),
        (LLMRefused("x"), 502, "model_refused"),
        (LLMTimeout("x"), 503, "service_unavailable"),
        (LLMError("x"), 503, "service_unavailable"),
        (EmbedderError("x"), 503, "service_unavailable"),
        (RerankerError("x"), 503, "service_unavailable"),
        (StoreUnavailable("x"), 503, "service_unavailable"),
        (StoreError("x"), 500, "server_error"),
        (ZeroDivisionError("x"), 500, "server_error"),
    ],
)
def test_error_has_status_and_code(error: Exception, status: int, code: str) -> None:
    problem = describe(error)
    assert (problem.status, problem.body["error"]["code"]) == (status, code)
    assert set(problem.body["error"]) == {"message", "type", "param", "code"}


@pytest.mark.parametrize("error", [LLMError("http://10.0.0.5:11434"), ZeroDivisionError("gizli")])
def test_server_error_hides_its_text(error: Exception) -> None:
    assert str(error) not in str(describe(error).body)


def test_down_backend_asks_to_retry() -> None:
    assert describe(LLMError("x")).headers["Retry-After"] == "5"


def test_own_bug_forbids_retry() -> None:
    assert describe(ZeroDivisionError()).headers["x-should-retry"] == "false"


def test_duplicate_names_the_document() -> None:
    assert describe(DuplicateDocument("kimlik", "a.pdf")).body["id"] == "kimlik"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nope", 404, "not_found"),
        ("GET", "/v1", 404, "not_found"),
        ("GET", "/api/nope", 404, "not_found"),
        ("GET", "/nope", 404, "not_found"),
        ("GET", "/v1/chat/completions", 405, "method_not_allowed"),
        ("DELETE", "/v1/models", 405, "method_not_allowed"),
        ("PUT", "/api/documents", 405, "method_not_allowed"),
        ("POST", "/v1/completions", 404, "not_found"),
        ("GET", "/v1/responses", 405, "method_not_allowed"),
        ("GET", "/v1/responses/resp_1", 404, "not_found"),
        ("DELETE", "/v1/responses/resp_1", 404, "not_found"),
    ],
)
def test_unknown_route_answers_json(
    client: FlaskClient, method: str, path: str, status: int, code: str
) -> None:
    response = client.open(path, method=method)
    assert (response.status_code, response.content_type) == (status, "application/json")
    assert response.json is not None
    assert response.json["error"]["code"] == code


def test_wrong_method_names_the_right_ones(client: FlaskClient) -> None:
    assert "POST" in client.get("/v1/chat/completions").headers["Allow"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer yanlış".encode().decode("latin-1")},
        {"Authorization": "Bearer dk-wrong"},
        {"Authorization": "Basic dk-admin"},
        {"Authorization": "Bearer dk-admin dk-admin"},
        {"Authorization": "Bearer " + "x" * 1_000_000},
    ],
    ids=["none", "letters", "unknown", "basic", "two", "huge"],
)
def test_wrong_key_is_unauthorized(client: FlaskClient, headers: dict[str, str]) -> None:
    response = client.get("/v1/models", headers=headers)
    assert response.status_code == 401
    assert response.json is not None
    assert response.json["error"]["code"] == "invalid_api_key"
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_absent_database_is_unavailable(
    client: FlaskClient, assistant: StandIn, admin: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assistant.failure = StoreUnavailable("the database 'docrag' cannot be reached")
    response = client.get("/v1/models", headers=admin)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warnings] == [
        "StoreUnavailable: the database 'docrag' cannot be reached"
    ]


def test_own_bug_answers_json(
    client: FlaskClient, assistant: StandIn, admin: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assistant.failure = ZeroDivisionError("gizli metin")
    response = client.get("/api/documents", headers=admin)
    assert (response.status_code, response.content_type) == (500, "application/json")
    assert "gizli" not in response.get_data(as_text=True)
    assert "unexpected ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("/v1/completions", "/v1/chat/completions"),
        ("/v1/responses/resp_1", "/v1/responses"),
        ("/v1/responses/resp_1/input_items", "/v1/responses"),
        ("/v1/chat/completions/chatcmpl-1", "/v1/chat/completions"),
    ],
)
def test_absent_address_points_to_the_right_one(
    client: FlaskClient, reader: dict[str, str], path: str, instead: str
) -> None:
    response = client.post(path, json={"model": "docrag"}, headers=reader)
    assert response.status_code == 404
    assert response.json is not None
    assert instead in response.json["error"]["message"]


@pytest.mark.parametrize(("asked", "expected"), [(None, "5"), (0.0, "1"), (2.1, "3"), (30.0, "30")])
def test_busy_model_says_when_to_come_back(asked: float | None, expected: str) -> None:
    problem = describe(LLMUnavailable("x", retry_after=asked))
    assert (problem.status, problem.headers["Retry-After"]) == (503, expected)


@pytest.mark.parametrize("error", [InvalidChunkSize(b"zz"), NoMoreData(b"x")])
def test_broken_body_is_the_clients_mistake(
    client: FlaskClient, reader: dict[str, str], error: Exception
) -> None:
    class Broken(io.RawIOBase):
        def readinto(self, buffer: object) -> int:
            raise error

    response = client.post(
        "/v1/chat/completions",
        headers=reader,
        environ_overrides={"wsgi.input": Broken(), "wsgi.input_terminated": True},
    )
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "host", ['a b<>"', "evil.com:99999", "", "a/b", "a@b", "[::1", "a:b", "x:1:2", "çay"]
)
def test_strange_host_is_refused(client: FlaskClient, host: str) -> None:
    response = client.get("/healthz", environ_overrides={"HTTP_HOST": host})
    assert response.status_code == 400
    assert response.json is not None
    assert "Host" in response.json["error"]["message"]


@pytest.mark.parametrize("host", ["docrag", "10.0.0.1:8000", "[::1]:80", "my_app:8000", "a.b."])
def test_plain_host_is_taken(client: FlaskClient, host: str) -> None:
    assert client.get("/healthz", environ_overrides={"HTTP_HOST": host}).status_code == 200


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"])
def test_forwarded_headers_are_not_believed(
    client: FlaskClient, reader: dict[str, str], name: str
) -> None:
    body = {"model": "docrag", "messages": [{"role": "user", "content": "Soru"}]}
    headers = {**reader, name: "host=evil.example" if name == "Forwarded" else "evil.example"}
    answer = client.post("/v1/chat/completions", json=body, headers=headers).json
    assert answer is not None
    assert answer["search_results"][0]["url"].startswith("http://localhost/")
