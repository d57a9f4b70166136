"""Who sees what, on every path that leads to a document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from sqlalchemy import delete, text

from docrag.api import Access, AccessDenied, DocumentNotFound, f5
from docrag.store import Store, make_engine
from docrag.store.series import held
from docrag.store.tables import DocumentRoleRow

from .conftest import ADMIN, DIM, Library
from .shelf import PATHS, SEEN, Path, Shelf, fill


@pytest.fixture(scope="module")
def shelf(shared_database_url: str) -> Iterator[Shelf]:
    """Six documents, after a role was retired and another renamed."""
    engine = make_engine(shared_database_url)
    yield fill(engine)
    engine.dispose()


@pytest.mark.parametrize(("roles", "expected"), SEEN.values(), ids=SEEN)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.__name__)
def test_path_shows_permitted_only(
    shelf: Shelf, path: Path, roles: list[str], expected: set[str]
) -> None:
    assert path(shelf, Access.of(roles)) == expected


def test_no_roles_do_not_reach_the_database() -> None:
    away = Store(make_engine("postgresql://docrag@127.0.0.1:1/docrag"))
    found = away.chunks.candidates(
        terms=["izin"], vector=np.ones(DIM, np.float32), access=Access.of([]), k=5
    )
    assert found == []


def test_new_roles_of_a_document_count_at_the_next_search(library: Library) -> None:
    store = library.store
    document = library.shelve("yıllık izin", roles=["ik"])
    store.roles.create("bilgi")
    store.documents.set_roles(document.id, ["bilgi"], access=ADMIN)
    seen = [
        len(store.chunks.candidates(terms=f5("izin"), vector=None, access=Access.of([role]), k=5))
        for role in ("ik", "bilgi")
    ]
    assert seen == [0, 1]


@pytest.mark.parametrize("table", ["documents", "chunks", "embeddings"])
def test_copies_of_the_roles_cannot_drift(library: Library, table: str) -> None:
    library.shelve("yıllık izin", roles=["ik"])
    with library.engine.begin() as connection:
        connection.execute(text(f"UPDATE {table} SET allowed_roles = '{{admin,herkes}}'"))
        assert connection.scalar(text(f"SELECT allowed_roles FROM {table}")) == ["admin", "ik"]


@pytest.mark.parametrize("table", ["documents", "chunks", "embeddings"])
def test_copies_follow_the_truth(library: Library, table: str) -> None:
    library.shelve("yıllık izin", roles=["ik", "bilgi"])
    with library.engine.begin() as connection:
        connection.execute(text("DELETE FROM document_roles WHERE role = 'ik'"))
        allowed = connection.scalar(text(f"SELECT allowed_roles FROM {table}"))
    assert allowed == ["admin", "bilgi"]


def test_roles_change_while_a_document_is_filled(library: Library) -> None:
    """Whoever comes second sees the other: no chunk keeps the roles of before."""
    document, _ = library.queue(roles=["ik"])
    library.store.roles.create("bilgi")
    with library.engine.begin() as connection:
        connection.execute(text("UPDATE document_roles SET role = 'bilgi' WHERE role = 'ik'"))
        filling = library.in_thread(lambda: library.fill(document.id, "yıllık izin"))
        library.wait_for_a_lock()
    filling.result(10)
    with library.engine.connect() as connection:
        assert connection.scalar(text("SELECT allowed_roles FROM chunks")) == ["admin", "bilgi"]


@pytest.mark.parametrize("last", [["bilgi"], ["ik"]])
def test_roles_that_are_changed_at_one_time_are_not_mixed(
    library: Library, last: list[str]
) -> None:
    """The later change waits for the other one, and replaces what that has written."""
    document, _ = library.queue(roles=["ik", "bilgi", "isg"])
    documents = library.store.documents
    documents.set_roles(document.id, ["isg"], access=ADMIN)
    with documents._sessions.begin() as session:
        row = held(session, document.id)
        session.execute(delete(DocumentRoleRow))
        session.add(DocumentRoleRow(document_id=row.id, role="ik"))
        session.flush()
        other = library.in_thread(
            lambda: None if documents.set_roles(document.id, last, access=ADMIN) else None
        )
        library.wait_for_a_lock()
    other.result(timeout=10)
    assert documents.get(document.id, access=ADMIN).roles == tuple(last)


@pytest.mark.parametrize("act", ["delete", "set_roles"])
def test_only_admin_changes_documents(library: Library, act: str) -> None:
    document = library.shelve("yıllık izin", roles=["ik"])
    documents, access = library.store.documents, Access.of(["ik"])
    with pytest.raises(AccessDenied):
        if act == "delete":
            documents.delete(document.id, access=access)
        else:
            documents.set_roles(document.id, ["ik"], access=access)


def test_hidden_document_is_not_found_rather_than_denied(library: Library) -> None:
    document = library.shelve("yıllık izin", roles=["ik"])
    with pytest.raises(DocumentNotFound):
        library.store.documents.delete(document.id, access=Access.of(["bilgi"]))
