"""Documents and jobs over HTTP."""

from __future__ import annotations

import io
from datetime import date
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.api import (
    DocumentError,
    DocumentNotFound,
    DuplicateDocument,
    Page,
    UnknownName,
    UnsupportedDocument,
)
from docrag.store.records import NewVersion

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

DOCUMENT_ID = "7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"


def send(client: FlaskClient, headers: dict[str, str], **form: object) -> TestResponse:
    """Upload with the given form."""
    fields = {"file": (io.BytesIO(b"# Talimat"), "iş.md"), "roles": "isg", **form}
    kept = {name: value for name, value in fields.items() if value is not None}
    return client.post("/api/documents", data=kept, headers=headers)


def code(response: TestResponse) -> tuple[int, str]:
    """Status and machine code of a refusal."""
    assert response.json is not None
    return response.status_code, response.json["error"]["code"]


def test_upload_is_accepted(client: FlaskClient, admin: dict[str, str], assistant: StandIn) -> None:
    response = send(client, admin, title=" Baret \x00talimatı ")
    assert response.status_code == 202
    assert response.json == {"id": DOCUMENT_ID, "job": "job-1", "state": "ready"}
    assert response.headers["Location"] == f"/api/documents/{DOCUMENT_ID}"
    assert assistant.uploads == [
        {
            "data": b"# Talimat",
            "filename": "iş.md",
            "roles": ["isg"],
            "title": "Baret talimatı",
            "uploaded_by": 1,
            "version": NewVersion(),
        }
    ]


def test_upload_may_replace_a_document(
    client: FlaskClient, admin: dict[str, str], assistant: StandIn
) -> None:
    form = {"replaces": DOCUMENT_ID, "valid_from": "2015-04-01", "valid_to": " "}
    assert send(client, admin, roles=None, **form).status_code == 202
    given = assistant.uploads[0]
    assert given["roles"] == []
    assert given["version"] == NewVersion(replaces=DOCUMENT_ID, valid_from=date(2015, 4, 1))


@pytest.mark.parametrize("field", ["valid_from", "valid_to"])
@pytest.mark.parametrize("given", ["1.4.2015", "2015-02-30", "20150401", "٢٠١٥-٠٤-٠١"])
def test_upload_with_no_day_is_refused(
    client: FlaskClient, admin: dict[str, str], assistant: StandIn, field: str, given: str
) -> None:
    response = send(client, admin, **{field: given})
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == field
    assert "such as 2015-04-01" in response.json["error"]["message"]
    assert assistant.uploads == []


@pytest.mark.parametrize("body", [{}, {"roles": ["ik"], "valid_to": None}, {"valid_to": "yarın"}])
def test_change_of_nothing_or_everything_is_refused(
    client: FlaskClient, admin: dict[str, str], body: dict[str, object]
) -> None:
    response = client.patch(f"/api/documents/{DOCUMENT_ID}", json=body, headers=admin)
    assert response.status_code == 400


def test_change_of_one_bound_names_no_other(
    client: FlaskClient,
    admin: dict[str, str],
    assistant: StandIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What another request changes at the same time is kept by the store, under its lock."""
    given: dict[str, object] = {}

    def refuse(document_id: str, **days: object) -> None:
        given.update(days)
        raise DocumentNotFound(document_id)

    documents = SimpleNamespace(set_dates=refuse)
    monkeypatch.setattr(assistant.store, "documents", documents, raising=False)
    path = f"/api/documents/{DOCUMENT_ID}"
    assert client.patch(path, json={"valid_to": None}, headers=admin).status_code == 404
    assert {name: given[name] for name in given if name != "access"} == {"valid_to": None}


@pytest.mark.parametrize("given", [["isg", "ik"], ["isg,ik"], ["isg, ik ,", "isg"]])
def test_roles_may_be_repeated_or_joined(
    client: FlaskClient, admin: dict[str, str], assistant: StandIn, given: list[str]
) -> None:
    assert send(client, admin, roles=given).status_code == 202
    assert assistant.uploads[0]["roles"] == ["isg", "ik"]


def test_upload_is_for_admins(
    client: FlaskClient, reader: dict[str, str], assistant: StandIn
) -> None:
    assert code(send(client, reader)) == (403, "permission_denied")
    assert code(send(client, reader, file=None)) == (403, "permission_denied")
    assert assistant.uploads == []


@pytest.mark.parametrize("form", [{"file": None}, {"roles": None}, {"roles": " , "}])
def test_missing_field_is_named(
    client: FlaskClient, admin: dict[str, str], form: dict[str, Any]
) -> None:
    response = send(client, admin, **form)
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == next(iter(form))


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (DuplicateDocument(DOCUMENT_ID, "iş.md"), (409, "duplicate_document")),
        (UnsupportedDocument("'x.pdf' is not a PDF"), (415, "unsupported_document_type")),
        (DocumentError("'iş.md' is empty"), (400, "invalid_document")),
        (UnknownName("role", "yok", ["isg"]), (400, "unknown_name")),
    ],
)
def test_refused_upload_says_why(
    client: FlaskClient,
    assistant: StandIn,
    admin: dict[str, str],
    failure: Exception,
    expected: tuple[int, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(data: bytes, **given: object) -> None:
        raise failure

    monkeypatch.setattr(assistant, "upload", refuse)
    response = send(client, admin)
    assert code(response) == expected
    assert response.json is not None
    assert response.json["error"]["message"] == str(failure)


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 3 * 1024 * 1024], ids=["file", "body"])
def test_large_upload_is_refused(client: FlaskClient, admin: dict[str, str], size: int) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    body = head + b"x" * size + b"\r\n--x--\r\n"
    response = client.post(
        "/api/documents",
        data=body,
        content_type="multipart/form-data; boundary=x",
        headers=admin,
    )
    assert code(response) == (413, "request_too_large")


def test_list_shows_own_roles_only(
    client: FlaskClient, reader: dict[str, str], admin: dict[str, str]
) -> None:
    seen: Any = client.get("/api/documents", headers=reader).json
    assert [entry["roles"] for entry in seen["documents"]] == [["isg"]]
    full: Any = client.get("/api/documents", headers=admin).json
    assert full["documents"][0] == {
        "id": DOCUMENT_ID,
        "title": "Kanun",
        "filename": "kanun_6331.pdf",
        "state": "ready",
        "pages": 13,
        "chunks": 70,
        "roles": ["ik", "isg"],
        "series": "",
        "version": 1,
        "valid_from": None,
        "valid_to": None,
        "in_force": False,
        "error": "",
        "warnings": [],
        "created_at": "2026-01-02T00:00:00+00:00",
        "source": "",
    }
    assert "source" not in seen["documents"][0]


def test_document_is_shown(client: FlaskClient, reader: dict[str, str]) -> None:
    response = client.get(f"/api/documents/{DOCUMENT_ID}", headers=reader)
    assert response.json is not None
    assert response.json["pages"] == 13


def test_missing_document_is_not_found(client: FlaskClient, reader: dict[str, str]) -> None:
    assert code(client.get("/api/documents/yok", headers=reader)) == (404, "document_not_found")


def test_page_is_read(client: FlaskClient, reader: dict[str, str]) -> None:
    response = client.get(f"/api/documents/{DOCUMENT_ID}/pages/7", headers=reader)
    assert response.json is not None
    assert (response.json["page"], response.json["text"]) == (7, "Madde 10")


@pytest.mark.parametrize("number", ["0", "8", "99999999999999999999", "-1", "x"])
def test_missing_page_is_not_found(
    client: FlaskClient, reader: dict[str, str], number: str
) -> None:
    response = client.get(f"/api/documents/{DOCUMENT_ID}/pages/{number}", headers=reader)
    assert response.status_code == 404


def test_delete_is_for_admins(
    client: FlaskClient, reader: dict[str, str], admin: dict[str, str]
) -> None:
    path = f"/api/documents/{DOCUMENT_ID}"
    assert client.delete(path, headers=reader).status_code == 403
    assert client.delete(path, headers=admin).status_code == 204
    assert client.delete("/api/documents/yok", headers=admin).status_code == 404


def test_job_shows_its_progress(client: FlaskClient, reader: dict[str, str]) -> None:
    assert client.get("/api/jobs/job-1", headers=reader).json == {
        "id": "job-1",
        "document": DOCUMENT_ID,
        "state": "running",
        "stage": "embed",
        "done": 3,
        "total": 70,
        "error": "",
        "attempts": 1,
        "created_at": None,
        "heartbeat": "2026-01-02T00:00:00+00:00",
        "run_after": None,
        "cancel_requested": False,
    }


@pytest.mark.parametrize(("number", "section"), [(1, ""), (3, "Ek")])
def test_section_is_read_by_its_place(
    client: FlaskClient, reader: dict[str, str], assistant: StandIn, number: int, section: str
) -> None:
    sections = [Page(number=None, text=text, section=text) for text in ("", "Alan", "Ek")]
    assistant.store.documents.pages = lambda *_, **__: sections
    response = client.get(f"/api/documents/{DOCUMENT_ID}/pages/{number}", headers=reader)
    assert response.json is not None
    assert (response.json["page"], response.json["section"]) == (None, section)


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 3 * 1024 * 1024], ids=["file", "body"])
def test_refusal_of_a_large_upload_names_the_limit(
    client: FlaskClient, admin: dict[str, str], size: int
) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    form = "multipart/form-data; boundary=x"
    body = head + b"x" * size + b"\r\n--x--\r\n"
    response = client.post("/api/documents", data=body, content_type=form, headers=admin)
    assert response.json is not None
    assert "limit of 1 MiB" in response.json["error"]["message"]


def test_refusal_of_a_large_json_body_names_the_limit(
    client: FlaskClient, admin: dict[str, str]
) -> None:
    body = b" " * (9 * 1024 * 1024)
    response = client.post("/api/roles", data=body, headers=admin)
    assert code(response) == (413, "request_too_large")
    assert response.json is not None
    assert "limit of 8 MiB" in response.json["error"]["message"]


@pytest.mark.parametrize("name", [b"\xfe\xfd.md", "ğ".encode("cp1254") + b".md"])
def test_filename_that_is_no_utf8_is_refused(
    client: FlaskClient, admin: dict[str, str], name: bytes
) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="' + name + b'"\r\n\r\n'
    roles = b'--x\r\nContent-Disposition: form-data; name="roles"\r\n\r\nisg\r\n'
    response = client.post(
        "/api/documents",
        data=roles + head + b"# Ek\r\n--x--\r\n",
        content_type="multipart/form-data; boundary=x",
        headers=admin,
    )
    assert response.status_code == 400
    assert response.json is not None
    assert "UTF-8" in response.json["error"]["message"]


def test_role_is_not_changed_into_another(client: FlaskClient, admin: dict[str, str]) -> None:
    response = send(client, admin, roles="is\x00g")
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == "roles"
