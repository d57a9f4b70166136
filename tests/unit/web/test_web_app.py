"""What holds for every request: paths, origins, identifiers, headers, health and docs."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from docrag.web.cors import EXPOSED

ORIGIN = "https://chat.example"


@pytest.mark.parametrize(
    "path", ["/v1/models/", "/v1//models", "/v1///models//", "/v1/models", "/v1/models?x=1"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_misspelt_path_is_served(
    client: FlaskClient, reader: dict[str, str], path: str, method: str
) -> None:
    target = "http://localhost" + path
    assert client.open(target, method=method, headers=reader).status_code == 200


def test_preflight_needs_no_key(client: FlaskClient) -> None:
    response = client.options(
        "/v1/chat/completions",
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Headers": "authorization,x-foo",
        },
    )
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert response.headers["Access-Control-Allow-Headers"] == "authorization,x-foo"
    assert "POST" in response.headers["Access-Control-Allow-Methods"]


@pytest.mark.parametrize("path", ["/v1/models", "/v1/nope"])
def test_errors_carry_origin_headers(client: FlaskClient, path: str) -> None:
    response = client.get(path, headers={"Origin": ORIGIN})
    assert response.status_code in (401, 404)
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert response.headers["Access-Control-Expose-Headers"] == EXPOSED


@pytest.mark.parametrize(
    ("path", "origin"), [("/v1/models", "https://evil.example"), ("/api/documents", ORIGIN)]
)
def test_other_origin_gets_nothing(client: FlaskClient, path: str, origin: str) -> None:
    response = client.get(path, headers={"Origin": origin})
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("given", ["abc-1.2:3", "req_42"])
def test_sane_request_id_is_kept(client: FlaskClient, given: str) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "a b", "x" * 200, "ğ".encode().decode("latin-1")])
def test_other_request_id_is_replaced(client: FlaskClient, given: str) -> None:
    found = client.get("/v1/nope", headers={"X-Request-Id": given}).headers["x-request-id"]
    assert found != given
    assert len(found) == 32


@pytest.mark.parametrize("path", ["/healthz", "/v1/nope", "/docs", "/v1/models"])
def test_answers_carry_hygiene_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_log_has_one_line_without_query(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="docrag.web"):
        client.get("/healthz%0Asahte?soru=gizli", buffered=True)
    (record,) = [record for record in caplog.records if record.name == "docrag.web.trace"]
    assert record.getMessage().startswith("GET /healthz%0Asahte 404 ")
    assert "gizli" not in caplog.text


def test_alive_asks_no_database(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json) == (200, {"status": "ok"})


def test_home_needs_a_secret(client: FlaskClient) -> None:
    response = client.get("/")
    assert response.status_code == 503
    assert "SECRET_KEY" in response.get_data(as_text=True)


def test_docs_load_from_this_server(client: FlaskClient) -> None:
    text = client.get("/docs").get_data(as_text=True)
    assert "http" not in text.replace("http-equiv", "")
    assert "<script>" not in text
    for path in ("/docs/start.js", "/docs/assets/swagger-ui-bundle.js", "/openapi.json"):
        assert path in text or path.startswith("/openapi")
        with client.get(path) as response:
            assert response.status_code == 200


@pytest.mark.parametrize("name", ["index.css.map", "../__init__.py", "VERSION"])
def test_docs_serve_nothing_else(client: FlaskClient, name: str) -> None:
    assert client.get(f"/docs/assets/{name}").status_code == 404


def test_spec_lists_every_route(client: FlaskClient, app: Flask) -> None:
    spec: Any = client.get("/openapi.json").json
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(("/v1", "/api"))]
    listed = {
        (method.upper(), path.replace("{", "<").replace("}", ">"))
        for path, methods in spec["paths"].items()
        for method in methods
    }
    for rule in rules:
        path = rule.rule.replace("<path:", "<").replace("<int:", "<")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            assert (method, path) in listed


def test_spec_asks_for_a_key(client: FlaskClient) -> None:
    spec: Any = client.get("/openapi.json").json
    assert spec["security"] == [{"key": []}]
    assert spec["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert spec["paths"]["/healthz"]["get"]["security"] == []


def test_spec_describes_the_error_object(client: FlaskClient) -> None:
    schemas: Any = client.get("/openapi.json").json["components"]["schemas"]  # type: ignore[index] # JSON
    assert set(schemas["ErrorDetail"]["properties"]) == {"message", "type", "param", "code"}
    assert schemas["Error"]["required"] == ["error"]
    assert len(schemas["Message"]["properties"]["content"]["anyOf"]) == 3
