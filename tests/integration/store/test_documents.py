"""Documents: taken in, filled all or nothing, and deleted without a trace."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text

from docrag.api import (
    Access,
    Chunk,
    DocragError,
    DocumentError,
    DocumentNotFound,
    DuplicateDocument,
    EmbedderError,
    Page,
    StoreError,
    UnknownName,
)
from docrag.store.records import DocumentState, JobState

from .conftest import ADMIN, DIM, Library

CHUNK = Chunk(ordinal=0, text="yıllık izin", page_first=1, page_last=1)


def count_rows(library: Library) -> dict[str, int]:
    """Rows of every table that a document fills."""
    tables = [
        "documents",
        "document_roles",
        "document_files",
        "pages",
        "chunks",
        "embeddings",
        "postings",
        "ingest_jobs",
    ]
    with library.engine.connect() as connection:
        return {
            name: connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for name in tables
        }


def add(library: Library, document_id: str, **changes: Any) -> None:  # noqa: ANN401
    """Fill a document with one chunk, but for the changes."""
    space = library.store.spaces.ensure(model_id="spread", dim=DIM, chunking="one")
    contents: dict[str, Any] = {
        "pages": [Page(number=1, text="yıllık izin")],
        "chunks": [CHUNK],
        "vectors": np.eye(1, DIM, dtype=np.float32),
        "space_id": space.id,
        "terms": [["yilli", "izin"]],
        "warnings": [],
    }
    library.store.documents.add(document_id, **contents | changes)


def test_new_document_waits_with_its_job(library: Library) -> None:
    document, job = library.queue(roles=["ik", "bilgi"], data=b"dosya")
    assert (document.state, document.roles) == (DocumentState.QUEUED, ("bilgi", "ik"))
    assert (document.size, document.title, document.version) == (5, "İzin", 1)
    assert (job.document_id, job.state) == (document.id, JobState.QUEUED)


def test_file_is_kept_as_it_came(library: Library) -> None:
    data = bytes(range(256))
    document, _ = library.queue(data=data)
    assert library.store.documents.file(document.id) == data


def test_same_file_again_is_refused_by_its_name(library: Library) -> None:
    document, _ = library.queue()
    with pytest.raises(DuplicateDocument) as caught:
        library.queue()
    assert caught.value.document_id == document.id


def test_failed_file_may_come_again(library: Library) -> None:
    first, _ = library.queue()
    library.store.documents.set_state(first.id, DocumentState.FAILED, error="bozuk")
    second, _ = library.queue()
    assert second.id != first.id


@pytest.mark.parametrize(
    "changes",
    [{"filename": ""}, {"title": "a\x00b"}, {"filename": "\ud800.pdf"}, {"suffix": ""}],
    ids=["no name", "nul", "surrogate", "no suffix"],
)
def test_odd_names_are_refused(library: Library, changes: dict[str, str]) -> None:
    given: dict[str, Any] = {"filename": "a.pdf", "title": "a", "suffix": "pdf"} | changes
    with pytest.raises(DocumentError):
        library.store.documents.create(data=b"x", roles=["admin"], uploaded_by=None, **given)
    assert library.store.is_empty()


@pytest.mark.parametrize("title", ["'; DROP TABLE documents; --", "%s %(x)s :k \\", "İzin ısı 🙂"])
def test_names_are_stored_as_they_are(library: Library, title: str) -> None:
    document, _ = library.store.documents.create(
        filename=title, title=title, suffix="pdf", data=b"x", roles=["admin"], uploaded_by=None
    )
    assert library.store.documents.get(document.id, access=ADMIN).title == title


def test_composed_and_decomposed_titles_stay_what_they_are(library: Library) -> None:
    title = unicodedata.normalize("NFD", "Çalışma İzni")
    document, _ = library.store.documents.create(
        filename="a", title=title, suffix="pdf", data=b"x", roles=["admin"], uploaded_by=None
    )
    assert document.title == title


def test_unknown_role_is_refused_with_the_known_ones(library: Library) -> None:
    with pytest.raises(UnknownName) as caught:
        library.store.documents.create(
            filename="a", title="a", suffix="a", data=b"x", roles=["yok"], uploaded_by=None
        )
    assert (caught.value.name, caught.value.known) == ("yok", ("admin",))
    assert library.store.is_empty()


def test_retired_role_is_refused(library: Library) -> None:
    library.store.roles.create("eski")
    library.store.roles.retire("eski")
    with pytest.raises(UnknownName, match="eski"):
        library.queue(roles=["eski"])


def test_document_without_roles_is_refused(library: Library) -> None:
    with pytest.raises(DocumentError, match="no roles"):
        library.queue(roles=[])


def test_documents_are_listed_newest_first(library: Library) -> None:
    ids = [library.queue(data=str(n).encode())[0].id for n in range(3)]
    assert [item.id for item in library.store.documents.list(access=ADMIN)] == ids[::-1]


@pytest.mark.parametrize(
    "document_id",
    ["", "1", "yok", "a\x00", "\ud800", "{00000000-0000-0000-0000-000000000000}", "0" * 32]
    + ["00000000-0000-0000-0000-000000000000"],
)
def test_identifier_of_nothing_is_not_found(library: Library, document_id: str) -> None:
    with pytest.raises(DocumentNotFound):
        library.store.documents.get(document_id, access=ADMIN)


def test_filled_document_is_ready_with_its_counts(library: Library) -> None:
    document, _ = library.queue()
    add(library, document.id)
    filled = library.store.documents.get(document.id, access=ADMIN)
    assert (filled.state, filled.pages, filled.chunks) == (DocumentState.READY, 1, 1)


def test_pages_are_read_back_in_order(library: Library) -> None:
    pages = [
        Page(number=None, text="İkinci", section="2. Bölüm", warning="soluk"),
        Page(number=None, text="", section=""),
    ]
    document, _ = library.queue()
    add(library, document.id, pages=pages)
    assert library.store.documents.pages(document.id, access=ADMIN) == pages
    assert library.store.documents.get(document.id, access=ADMIN).pages is None


def test_warnings_are_told(library: Library) -> None:
    document, _ = library.queue()
    add(library, document.id, warnings=["sayfa 3 boş"])
    filled = library.store.documents.get(document.id, access=ADMIN)
    assert (filled.state, filled.warnings) == (
        DocumentState.READY_WITH_WARNINGS,
        ("sayfa 3 boş",),
    )


def test_filling_again_replaces_everything(library: Library) -> None:
    document, _ = library.queue()
    add(library, document.id)
    before = count_rows(library)
    add(library, document.id)
    assert count_rows(library) == before


BROKEN: dict[str, tuple[dict[str, Any], type[Exception]]] = {
    "no chunks": ({"chunks": [], "terms": [], "vectors": np.empty((0, DIM))}, DocumentError),
    "nul in a page": ({"pages": [Page(number=1, text="a\x00b")]}, DocumentError),
    "nul in a chunk": ({"chunks": [replace(CHUNK, text="a\x00b")]}, DocumentError),
    "surrogate": ({"chunks": [replace(CHUNK, text="a\udc80")]}, DocumentError),
    "empty chunk": ({"chunks": [replace(CHUNK, text="")]}, DocumentError),
    "nul in a warning": ({"warnings": ["a\x00b"]}, DocumentError),
    "page range": ({"chunks": [replace(CHUNK, page_first=3)]}, StoreError),
    "terms missing": ({"terms": []}, ValueError),
    "term too long": ({"terms": [["x" * 300]]}, StoreError),
    "vectors missing": ({"vectors": None}, ValueError),
    "too many vectors": ({"vectors": np.eye(2, DIM)}, EmbedderError),
    "other dimension": ({"vectors": np.ones((1, 3))}, EmbedderError),
    "no such space": ({"space_id": 99}, StoreError),
    "zero vector": ({"vectors": np.zeros((1, DIM))}, EmbedderError),
    "not a number": ({"vectors": np.full((1, DIM), np.nan)}, EmbedderError),
    "beyond halfvec": ({"vectors": np.full((1, DIM), 1e6)}, DocragError),
}


@pytest.mark.parametrize(("changes", "error"), BROKEN.values(), ids=BROKEN)
def test_broken_contents_leave_the_earlier_ones(
    library: Library, changes: dict[str, Any], error: type[Exception]
) -> None:
    document, _ = library.queue()
    add(library, document.id)
    before = count_rows(library)
    with pytest.raises(error):
        add(library, document.id, **changes)
    assert count_rows(library) == before


def test_refusal_tells_nothing_of_the_text(library: Library) -> None:
    document, _ = library.queue()
    secret = replace(CHUNK, text="gizli maaş listesi", page_first=3)
    with pytest.raises(StoreError, match="ck_chunks_page_range") as caught:
        add(library, document.id, chunks=[secret])
    assert "gizli" not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_very_long_chunk_is_counted_up_to_the_limit(library: Library) -> None:
    document, _ = library.queue()
    add(library, document.id, terms=[["izin"] * 40_000])
    with library.engine.connect() as connection:
        assert tuple(connection.execute(text("SELECT tf, dl FROM postings")).one()) == (
            32_767,
            32_767,
        )


def test_deleted_document_leaves_no_row(library: Library) -> None:
    document = library.shelve("yıllık izin", "maaş")
    library.store.documents.delete(document.id, access=ADMIN)
    assert set(count_rows(library).values()) == {0}


def test_deleted_document_is_gone_everywhere(library: Library) -> None:
    document = library.shelve("yıllık izin")
    library.store.documents.delete(document.id, access=ADMIN)
    with pytest.raises(DocumentNotFound):
        library.store.documents.file(document.id)
    with pytest.raises(DocumentNotFound):
        add(library, document.id)


def test_other_documents_stay(library: Library) -> None:
    first, second = library.shelve("yıllık izin"), library.shelve("yıllık izin günleri")
    library.store.documents.delete(first.id, access=ADMIN)
    found = library.store.chunks.candidates(
        terms=["izin"], vector=None, access=Access.of(["ik"]), k=5
    )
    assert [item.chunk.document_id for item in found] == [second.id]


@pytest.mark.parametrize(
    ("state", "error"),
    [
        (DocumentState.READY, ""),
        (DocumentState.FAILED, ""),
        (DocumentState.QUEUED, "bozuk"),
        (DocumentState.READY_WITH_WARNINGS, ""),
    ],
)
def test_state_that_contradicts_is_refused(
    library: Library, state: DocumentState, error: str
) -> None:
    document, _ = library.queue()
    with pytest.raises(DocumentError, match=state.value):
        library.store.documents.set_state(document.id, state, error=error)


def test_failure_keeps_its_reason(library: Library) -> None:
    document, _ = library.queue()
    library.store.documents.set_state(document.id, DocumentState.FAILED, error="şifreli dosya")
    failed = library.store.documents.get(document.id, access=ADMIN)
    assert (failed.state, failed.error) == (DocumentState.FAILED, "şifreli dosya")


def test_uploader_must_exist(library: Library) -> None:
    with pytest.raises(StoreError, match="fk_documents_uploaded_by_users"):
        library.store.documents.create(
            filename="a", title="a", suffix="a", data=b"x", roles=["admin"], uploaded_by=7
        )
