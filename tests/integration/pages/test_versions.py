"""Versions on the pages: brought in, dated, listed, stopped and read again."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pytest

from docrag.api import Access
from docrag.assistant import Assistant, NewVersion
from docrag.store import Store
from docrag.store.records import Document, DocumentState
from tests.integration.pages.conftest import Browser

ALL = Access.of(["admin"])
OLD, NEW = b"# Izin\n\nOn gun.\n", b"# Izin\n\nYirmi gun.\n"


def upload(browser: Browser, data: bytes = NEW, **fields: Any) -> str:  # noqa: ANN401 - form fields
    """What is shown after an upload."""
    browser.post("/admin/documents", file=(io.BytesIO(data), "izin.md"), **fields)
    return browser.text("/documents")


@pytest.fixture
def first(assistant: Assistant, store: Store) -> Document:
    """A document for isg."""
    return assistant.ingest(OLD, filename="izin.md", title="İzin yönergesi", roles=["isg"])


@pytest.fixture
def second(assistant: Assistant, first: Document) -> Document:
    """Its next version, which began in 2015."""
    version = NewVersion(replaces=first.id, valid_from=date(2015, 4, 1), source="klasör/izin.md")
    return assistant.ingest(NEW, filename="izin.md", version=version)


def test_new_version_is_added(admin: Browser, assistant: Assistant, first: Document) -> None:
    assert "kaydedildi" in upload(admin, replaces=first.id, valid_from="2015-04-01", valid_to="")
    assert assistant.work_once()
    [new, old] = assistant.documents(access=ALL)
    assert (new.version, new.roles, new.title) == (2, ("isg",), "İzin yönergesi")
    assert old.valid_to == date(2015, 3, 31)


@pytest.mark.parametrize(
    "days", [{"valid_from": "yarın"}, {"valid_from": "2015-04-01", "valid_to": "2015-03-31"}]
)
def test_wrong_days_are_refused(admin: Browser, store: Store, days: dict[str, Any]) -> None:
    assert "kabul edilmedi" in upload(admin, NEW, roles="isg", **days)
    assert store.documents.list(access=ALL) == []


def test_list_tells_versions_and_days(ayse: Browser, second: Document) -> None:
    text = ayse.text("/documents")
    assert "sürüm 2" in text
    assert "yürürlükte değil" in text
    assert "31 Mar 2015 tarihine kadar" in text
    assert "1 Nis 2015 tarihinden itibaren" in text


def test_document_leads_to_its_other_version(
    ayse: Browser, first: Document, second: Document
) -> None:
    text = ayse.text(f"/documents/{second.id}")
    assert f'href="/documents/{first.id}"' in text
    assert "klasör/izin.md" not in text


def test_watched_file_is_for_administrators(admin: Browser, second: Document) -> None:
    assert "klasör/izin.md" in admin.text(f"/documents/{second.id}")


def test_hidden_version_is_not_named(
    ayse: Browser, store: Store, first: Document, second: Document
) -> None:
    store.documents.set_roles(second.id, ["ik"], access=ALL)
    assert second.id not in ayse.text(f"/documents/{first.id}")


def test_days_are_changed(admin: Browser, store: Store, first: Document) -> None:
    path = f"/admin/documents/{first.id}/dates"
    assert admin.post(path, valid_from="", valid_to="2020-01-01").status_code == 303
    assert store.documents.get(first.id, access=ALL).valid_to == date(2020, 1, 1)
    admin.post(path, valid_from="2021-01-01", valid_to="2020-01-01")
    assert "kabul edilmedi" in admin.text(f"/documents/{first.id}")
    assert store.documents.get(first.id, access=ALL).valid_from is None


def test_reading_is_stopped_and_begun_again(
    admin: Browser, assistant: Assistant, store: Store
) -> None:
    document, _ = assistant.upload(OLD, filename="izin.md", roles=["isg"])
    path = f"/documents/{document.id}"
    assert "Okumayı durdur" in admin.text(path)
    assert admin.post(f"/admin{path}/cancel").status_code == 303
    assert store.documents.get(document.id, access=ALL).state is DocumentState.FAILED
    assert "Yeniden oku" in admin.text(path)
    assert admin.post(f"/admin{path}/retry").status_code == 303
    assert assistant.work_once()
    assert store.documents.get(document.id, access=ALL).state is DocumentState.READY


@pytest.mark.parametrize("order", ["dates", "retry", "cancel"])
def test_orders_about_a_missing_document_are_not_found(admin: Browser, order: str) -> None:
    missing = "7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"
    assert admin.post(f"/admin/documents/{missing}/{order}").status_code == 404


@pytest.mark.parametrize("order", ["dates", "retry", "cancel"])
def test_orders_are_for_administrators(ayse: Browser, first: Document, order: str) -> None:
    assert ayse.post(f"/admin/documents/{first.id}/{order}").status_code == 403
