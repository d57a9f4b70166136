"""Chunks beside found ones: which, in what order, and who may read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import event, text

from docrag.api import Access
from docrag.store import Store, make_engine
from docrag.store.records import DocumentState

from .conftest import ADMIN, Library
from .shelf import SEEN, SHELF
from .test_row_level_security import unfiltered

IK = Access.of(["ik"])


def ids(library: Library, document_id: str) -> list[int]:
    """Ids of a document's chunks in reading order."""
    query = text(
        "SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id"
        " WHERE d.public_id::text = :document ORDER BY c.ordinal"
    )
    with library.engine.connect() as connection:
        return list(connection.scalars(query, {"document": document_id}))


def texts(store: Store, chunks: Sequence[int], *, reach: int = 1, access: Access = IK) -> list[str]:
    return [item.text for item in store.neighbours.around(chunks, reach=reach, access=access)]


@pytest.mark.parametrize(
    ("found", "reach", "expected"),
    [
        ([2], 1, ["bir", "üç"]),
        ([2], 2, ["sıfır", "bir", "üç", "dört"]),
        ([0], 1, ["bir"]),
        ([4], 5, ["sıfır", "bir", "iki", "üç"]),
        ([1, 3], 1, ["sıfır", "iki", "dört"]),
        ([1, 2, 2], 1, ["sıfır", "üç"]),
    ],
)
def test_neighbours_stand_beside_what_was_found(
    library: Library, found: list[int], reach: int, expected: list[str]
) -> None:
    chunks = ids(library, library.shelve("sıfır", "bir", "iki", "üç", "dört").id)
    assert texts(library.store, [chunks[n] for n in found], reach=reach) == expected


def test_neighbour_is_all_that_a_citation_needs(library: Library) -> None:
    document = library.shelve("ışık", "İZİN")
    chunks = ids(library, document.id)
    (found,) = library.store.neighbours.around(chunks[:1], reach=1, access=IK)
    assert (found.chunk_id, found.document_id, found.ordinal) == (chunks[1], document.id, 1)
    assert (found.text, found.page_first, found.page_last) == ("İZİN", 2, 2)
    assert (found.title, found.filename, found.section) == ("İzin", "izin.pdf", "")


def test_neighbours_are_of_the_same_document(library: Library) -> None:
    first = library.shelve("bir", "iki")
    library.shelve("başka bir", "başka iki")
    assert texts(library.store, ids(library, first.id)[:1], reach=5) == ["iki"]


def test_nothing_is_beside_nothing(library: Library) -> None:
    library.shelve("bir", "iki")
    assert texts(library.store, []) == []
    assert texts(library.store, [2**40]) == []


def test_no_roles_do_not_reach_the_database() -> None:
    away = Store(make_engine("postgresql://docrag@127.0.0.1:1/docrag"))
    assert away.neighbours.around([1], reach=1, access=Access.of([])) == []


@pytest.mark.parametrize("reach", [-1, 0, 6])
def test_reach_out_of_its_range_is_refused(store: Store, reach: int) -> None:
    with pytest.raises(ValueError, match=f"reach is {reach}"):
        store.neighbours.around([1], reach=reach, access=IK)


def test_roles_that_change_after_the_search_hide_the_neighbours(library: Library) -> None:
    document = library.shelve("bir", "iki", roles=["ik"])
    found = ids(library, document.id)[:1]
    assert texts(library.store, found) == ["iki"]
    library.store.roles.create("bilgi")
    library.store.documents.set_roles(document.id, ["bilgi"], access=ADMIN)
    assert texts(library.store, found) == []
    assert texts(library.store, found, access=Access.of(["bilgi"])) == ["iki"]


def test_document_that_is_read_in_again_has_no_neighbours_for_what_was_found(
    library: Library,
) -> None:
    document = library.shelve("bir", "iki")
    found = ids(library, document.id)[:1]
    library.fill(document.id, "yeni bir", "yeni iki")
    assert texts(library.store, found) == []


def test_document_that_is_no_longer_ready_has_no_neighbours(library: Library) -> None:
    document = library.shelve("bir", "iki")
    found = ids(library, document.id)[:1]
    library.store.documents.set_state(document.id, DocumentState.FAILED, error="bozuk")
    assert texts(library.store, found) == []


def test_deleted_document_has_no_neighbours(library: Library) -> None:
    document = library.shelve("bir", "iki")
    found = ids(library, document.id)[:1]
    library.store.documents.delete(document.id, access=ADMIN)
    assert texts(library.store, found) == []


def test_neighbours_are_read_in_one_statement(library: Library) -> None:
    chunks = [ids(library, library.shelve(f"{n} bir", f"{n} iki").id)[0] for n in range(5)]
    sent: list[str] = []

    def keep(_c: Any, _u: Any, statement: str, *_: Any) -> None:  # noqa: ANN401 - SQLAlchemy's event
        sent.append(statement)

    event.listen(library.engine, "before_cursor_execute", keep)
    assert len(texts(library.store, chunks)) == 5
    event.remove(library.engine, "before_cursor_execute", keep)
    assert sum("FROM chunks" in statement for statement in sent) == 1


@pytest.fixture(scope="module")
def shelf(shared_database_url: str) -> Iterator[tuple[Library, list[int]]]:
    """The shelf's documents with two chunks each, and the ids of the first chunks."""
    engine = make_engine(shared_database_url)
    library = Library(Store(engine))
    found = [
        ids(library, library.shelve(f"bulunan {name}", name, roles=roles).id)[0]
        for name, roles in SHELF.items()
    ]
    library.store.roles.retire("eski")
    library.store.roles.rename("önceki", "yeni")
    yield library, found
    library.close()
    engine.dispose()


@pytest.mark.parametrize(("roles", "expected"), SEEN.values(), ids=SEEN)
def test_only_permitted_neighbours_are_read(
    shelf: tuple[Library, list[int]], roles: Collection[str], expected: set[str]
) -> None:
    """Also for somebody who knows the ids of chunks that they may not read."""
    library, found = shelf
    assert set(texts(library.store, found, access=Access.of(roles))) == expected


@pytest.mark.parametrize(("roles", "expected"), SEEN.values(), ids=SEEN)
def test_wall_alone_shows_permitted_neighbours_only(
    shelf: tuple[Library, list[int]], roles: Collection[str], expected: set[str]
) -> None:
    library, found = shelf
    event.listen(library.engine, "before_cursor_execute", unfiltered, retval=True)
    try:
        assert set(texts(library.store, found, access=Access.of(roles))) == expected
    finally:
        event.remove(library.engine, "before_cursor_execute", unfiltered)


def test_filter_alone_shows_permitted_neighbours_only(
    shelf: tuple[Library, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    library, found = shelf
    monkeypatch.setattr("docrag.store.sessions.restrict", lambda *_: None)
    assert set(texts(library.store, found)) == {"ik", "both"}


def test_without_filter_and_wall_everything_would_leak(
    shelf: tuple[Library, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the two was really taken out in the tests before."""
    library, found = shelf
    monkeypatch.setattr("docrag.store.sessions.restrict", lambda *_: None)
    event.listen(library.engine, "before_cursor_execute", unfiltered, retval=True)
    try:
        assert set(texts(library.store, found)) == set(SHELF)
    finally:
        event.remove(library.engine, "before_cursor_execute", unfiltered)
