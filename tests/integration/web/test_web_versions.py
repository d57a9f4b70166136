"""Versions over HTTP: uploaded, dated, asked about by day, deleted; and where pages come from."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import text

from docrag.api import Access
from docrag.assistant import Assistant
from docrag.testing.ollama import FakeOllama
from tests.integration.web.conftest import Headers

OLD, NEW = "Yıllık izin süresi on dört gündür.", "Yıllık izin süresi yirmi gündür."
QUESTION = "Yıllık izin süresi kaç gündür?"
FALLBACK = "Bu bilgi belgelerde bulunmuyor."
FIXTURES = Path(__file__).parents[2] / "fixtures"
#: Everything that is made of a document.
TABLES = ("documents", "document_files", "document_roles", "pages", "chunks", "embeddings",
          "postings", "document_terms", "document_grams", "ingest_jobs", "ingest_records",
          "ingest_vectors")  # fmt: skip

Upload = Callable[..., Any]


@pytest.fixture
def upload(client: FlaskClient, admin: Headers, isg: Headers, assistant: Assistant) -> Upload:
    """Uploads a text for isg, or as another version, and has it read; the document as it is."""

    def send(words: str, name: str = "izin.txt", **form: str) -> Any:  # noqa: ANN401 - JSON
        fields = {"file": (io.BytesIO(words.encode()), name), **form}
        fields |= {} if "replaces" in form else {"roles": "isg"}
        response = client.post("/api/documents", data=fields, headers=admin)
        assert response.status_code == 202, response.text
        assert assistant.work_once()
        made: Any = response.json
        return client.get(f"/api/documents/{made['id']}", headers=admin).json

    return send


def said(client: FlaskClient, who: Headers, stream: object = False, **more: object) -> str:
    """What is answered, whole or streamed."""
    headers = who | ({"X-Docrag-Date": str(more.pop("header"))} if "header" in more else {})
    body = {"model": "docrag", "messages": [{"role": "user", "content": QUESTION}], **more}
    response = client.post("/v1/chat/completions", json={**body, "stream": stream}, headers=headers)
    assert response.status_code == 200, response.text
    return response.get_data(as_text=True)


def shown_to_model(ollama: FakeOllama) -> str:
    return json.dumps(ollama.requests[-1], ensure_ascii=False)


@pytest.mark.parametrize("stream", [False, True])
def test_version_of_the_day_answers(
    client: FlaskClient, isg: Headers, upload: Upload, ollama: FakeOllama, stream: bool
) -> None:
    first = upload(OLD)
    second = upload(NEW, "yeni.txt", replaces=first["id"], valid_from="2015-04-01")
    assert (second["series"], second["version"]) == (first["series"], 2)
    assert (second["valid_from"], second["in_force"], second["roles"]) == (
        "2015-04-01", True, ["isg"],
    )  # fmt: skip
    asked: list[tuple[dict[str, object], str]] = [
        ({}, NEW),
        ({"docrag_date": "2015-03-31"}, OLD),
        ({"header": "2015-03-31"}, OLD),
        ({"header": "2015-04-01"}, NEW),
    ]
    for more, words in asked:
        said(client, isg, stream, **more)
        prompt = shown_to_model(ollama)
        assert [words in prompt for words in (OLD, NEW)] == [words == OLD, words == NEW]


def test_nothing_is_in_force_before_the_first_day(
    client: FlaskClient, isg: Headers, upload: Upload
) -> None:
    upload(OLD, valid_from="2015-04-01", valid_to="2020-01-01")
    assert FALLBACK in said(client, isg)
    assert FALLBACK in said(client, isg, docrag_date="2015-03-31")
    assert FALLBACK not in said(client, isg, docrag_date="2020-01-01")


def test_days_are_changed(
    client: FlaskClient, admin: Headers, isg: Headers, upload: Upload
) -> None:
    first = upload(OLD, valid_to="2020-01-01")
    path = f"/api/documents/{first['id']}"
    assert client.patch(path, json={"valid_to": None}, headers=isg).status_code == 403
    changed: Any = client.patch(
        path, json={"valid_from": "2015-04-01", "valid_to": None}, headers=admin
    ).json
    assert (changed["valid_from"], changed["valid_to"]) == ("2015-04-01", None)
    assert FALLBACK not in said(client, isg)
    odd = client.patch(path, json={"valid_to": "2015-03-31"}, headers=admin)
    assert (odd.status_code, "later than valid_to" in odd.text) == (400, True)


def test_odd_versions_are_refused(client: FlaskClient, admin: Headers, upload: Upload) -> None:
    first = upload(OLD)
    for form, status in (
        ({"replaces": "yok"}, 404),
        ({"replaces": first["id"], "valid_from": "2015-04-01", "valid_to": "2014-01-01"}, 400),
    ):
        fields = {"file": (io.BytesIO(NEW.encode()), "a.txt"), **form}
        response = client.post("/api/documents", data=fields, headers=admin)
        assert response.status_code == status, response.text
    again = {"file": (io.BytesIO(OLD.encode()), "a.txt"), "replaces": first["id"]}
    assert client.post("/api/documents", data=again, headers=admin).status_code == 409


@pytest.mark.parametrize("stream", [False, True])
def test_b19_deleted_document_leaves_nothing(
    client: FlaskClient,
    admin: Headers,
    isg: Headers,
    upload: Upload,
    assistant: Assistant,
    stream: bool,
) -> None:
    path = f"/api/documents/{upload(OLD)['id']}"
    said(client, isg, stream=stream)
    assert client.delete(path, headers=admin).status_code == 204
    with assistant.store._sessions.begin() as session:
        left = {
            table: session.scalar(text(f"SELECT count(*) FROM {table}"))  # noqa: S608 - constants
            for table in TABLES
        }
    assert left == dict.fromkeys(TABLES, 0)
    assert FALLBACK in said(client, isg, stream=stream)
    assert assistant.search(QUESTION, roles=["admin"]) == []
    assert client.delete(path, headers=admin).status_code == 404


def test_b34_pages_are_those_of_the_same_document(assistant: Assistant) -> None:
    assistant.store.roles.create("isg")
    for name in ("isg_oryantasyon.pptx", "heceleme.pdf", "talimat_utf8_lf.txt"):
        assistant.ingest(FIXTURES / name, roles=["isg"])
    documents = {item.id: item for item in assistant.documents(access=Access.of(["admin"]))}
    seen: dict[str, set[int | None]] = {}
    for question in ("işveren çalışan eğitim", "iş güvenliği", "baret talimat", "belge"):
        for hit in assistant.search(question, roles=["isg"], k=50):
            chunk, last = hit.chunk, documents[hit.chunk.document_id].pages
            seen.setdefault(chunk.filename, set()).update({chunk.page_first, chunk.page_last})
            if last is not None and chunk.page_first is not None and chunk.page_last is not None:
                assert 1 <= chunk.page_first <= chunk.page_last <= last
    assert seen["heceleme.pdf"] == {1}
    assert seen["talimat_utf8_lf.txt"] == {None}
    assert set(seen) == {item.filename for item in documents.values()}
