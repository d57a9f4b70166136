"""Versions of a document: which is in force, on which day, and for which search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

import pytest
from sqlalchemy import Engine, text

from docrag.api import Access, DocumentError, DocumentNotFound, f5
from docrag.store import Store, make_engine, series
from docrag.store.permission import today
from docrag.store.records import Document, DocumentState, NewVersion
from docrag.store.tables import DocumentRow

from .conftest import ADMIN, Library, chunks_of, spread

NEW_YEAR, BEFORE = date(2015, 1, 1), date(2014, 12, 31)
LONG_AGO, DAY = date(1990, 5, 1), timedelta(days=1)


def queued(library: Library, words: str, version: NewVersion, *, title: str = "") -> Document:
    """The next version of a document, waiting."""
    document, _ = library.store.documents.create(
        filename="izin.pdf",
        title=title or ("" if version.replaces else "İzin"),
        suffix="pdf",
        data=words.encode(),
        roles=() if version.replaces else ("ik",),
        uploaded_by=None,
        version=version,
    )
    return document


def put(
    library: Library,
    words: str,
    replaces: str = "",
    *,
    valid_from: date | None = None,
    valid_to: date | None = None,
) -> Document:
    """A ready version with one chunk."""
    version = NewVersion(replaces=replaces, valid_from=valid_from, valid_to=valid_to)
    document = queued(library, words, version)
    library.fill(document.id, words)
    return shown(library, document)


def shown(library: Library, document: Document) -> Document:
    return library.store.documents.get(document.id, access=ADMIN)


def days(library: Library, *documents: Document) -> list[tuple[date | None, date | None]]:
    found = [shown(library, document) for document in documents]
    return [(document.valid_from, document.valid_to) for document in found]


@pytest.fixture(scope="module")
def engine(shared_database_url: str) -> Iterator[Engine]:
    """One database for all of these tests."""
    engine = make_engine(shared_database_url)
    Store(engine).roles.create("ik")
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> Store:
    """A store without documents."""
    with engine.begin() as connection:
        connection.execute(text("TRUNCATE documents, terms CASCADE"))
    return Store(engine)


def test_version_continues_a_series(library: Library) -> None:
    first = put(library, "izin bir")
    second = put(library, "izin iki", first.id)
    third = put(library, "izin üç", first.id)
    assert [item.version for item in (first, second, third)] == [1, 2, 3]
    assert len({item.series for item in (first, second, third)}) == 1
    assert (second.title, second.roles) == ("İzin", ("ik",))


def test_own_document_has_a_series_of_its_own(library: Library) -> None:
    assert put(library, "izin bir").series != put(library, "izin iki").series


def test_old_version_ends_before_the_new_one_begins(library: Library) -> None:
    first = put(library, "izin bir")
    second = put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    assert days(library, first, second) == [(None, BEFORE), (NEW_YEAR, None)]
    assert [shown(library, item).in_force for item in (first, second)] == [False, True]


def test_new_version_begins_today_where_no_day_is_given(library: Library) -> None:
    first = put(library, "izin bir", valid_from=LONG_AGO)
    second = put(library, "izin iki", first.id)
    assert days(library, first, second) == [(LONG_AGO, today() - DAY), (today(), None)]


def test_version_of_the_same_day_is_never_in_force_again(library: Library) -> None:
    first = put(library, "izin bir", valid_from=NEW_YEAR)
    put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    assert days(library, first) == [(NEW_YEAR, BEFORE)]


def test_coming_version_leaves_the_old_one_in_force(library: Library) -> None:
    first, tomorrow = put(library, "izin bir"), today() + DAY
    second = put(library, "izin iki", first.id, valid_from=tomorrow)
    assert [shown(library, item).in_force for item in (first, second)] == [True, False]
    assert days(library, first) == [(None, today())]


def test_earlier_law_may_be_brought_in_later(library: Library) -> None:
    new = put(library, "izin iki", valid_from=NEW_YEAR)
    old = put(library, "izin bir", new.id, valid_from=LONG_AGO)
    assert days(library, old, new) == [(LONG_AGO, BEFORE), (NEW_YEAR, None)]


def test_given_end_holds_where_it_is_earlier(library: Library) -> None:
    first = put(library, "izin bir", valid_to=LONG_AGO)
    put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    assert days(library, first) == [(None, LONG_AGO)]


def test_waiting_version_leaves_the_old_one_as_it_is(library: Library) -> None:
    first = put(library, "izin bir")
    waiting = queued(library, "izin iki", NewVersion(replaces=first.id))
    library.store.documents.set_state(waiting.id, DocumentState.PROCESSING)
    assert shown(library, first) == first
    library.store.documents.set_state(waiting.id, DocumentState.FAILED, error="bozuk")
    assert shown(library, first) == first
    assert found(library.store) == {"izin bir"}


def test_failed_filling_leaves_the_old_one_as_it_is(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ending the old version and filling the new one are one transaction."""
    first = put(library, "izin bir")
    waiting = queued(library, "izin iki", NewVersion(replaces=first.id))

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("docrag.store.documents.series.settle", fail)
    with pytest.raises(RuntimeError):
        library.fill(waiting.id, "izin iki")
    assert shown(library, first) == first
    assert shown(library, waiting).chunks == 0


def test_first_version_that_failed_does_not_date_the_second(library: Library) -> None:
    first = queued(library, "izin bir", NewVersion())
    library.store.documents.set_state(first.id, DocumentState.FAILED, error="bozuk")
    second = put(library, "izin iki", first.id)
    assert days(library, second) == [(None, None)]


def test_second_version_may_be_ready_first(library: Library) -> None:
    first = queued(library, "izin bir", NewVersion())
    second = put(library, "izin iki", first.id)
    library.fill(first.id, "izin bir")
    assert days(library, first, second) == [(None, today() - DAY), (today(), None)]


def test_two_versions_at_one_time_get_two_numbers(library: Library) -> None:
    """An upload waits for another one under way, and gets the number behind it."""
    first = put(library, "izin bir")
    with library.store.documents._sessions.begin() as session:
        series.lock(session, first.id)
        other = library.in_thread(
            lambda: None if queued(library, "izin iki", NewVersion(replaces=first.id)) else None
        )
        library.wait_for_a_lock()
    other.result(timeout=10)
    assert put(library, "izin üç", first.id).version == 3


@pytest.mark.parametrize("late", [0, 1])
def test_older_version_that_is_read_late_displaces_no_newer_one(
    library: Library, monkeypatch: pytest.MonkeyPatch, late: int
) -> None:
    first = put(library, "izin bir")
    second = queued(library, "izin iki", NewVersion(replaces=first.id))
    third = put(library, "izin üç", first.id)
    monkeypatch.setattr("docrag.store.series.today", lambda: today() + late * DAY)
    library.fill(second.id, "izin iki")
    began = today()
    assert days(library, first, second, third) == [
        (None, began - DAY), (began, began - DAY), (began, None)
    ]  # fmt: skip


def test_older_version_that_is_read_late_displaces_a_past_one(library: Library) -> None:
    """A version of a higher number that is not in force any more is no newer law."""
    first = put(library, "izin bir", valid_from=NEW_YEAR)
    second = queued(library, "izin iki", NewVersion(replaces=first.id))
    third = put(library, "izin üç", first.id, valid_from=LONG_AGO)
    library.fill(second.id, "izin iki")
    assert days(library, third, first, second) == [
        (LONG_AGO, BEFORE), (NEW_YEAR, today() - DAY), (today(), None)
    ]  # fmt: skip


def test_version_that_is_over_before_it_begins_is_refused(library: Library) -> None:
    first = put(library, "izin bir")
    with pytest.raises(DocumentError, match="which is past.*give valid_from as well"):
        queued(library, "izin iki", NewVersion(replaces=first.id, valid_to=BEFORE))
    assert shown(library, first) == first


def test_version_that_is_read_after_its_last_day_ends_no_other(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = put(library, "izin bir")
    second = queued(library, "izin iki", NewVersion(replaces=first.id, valid_to=today()))
    monkeypatch.setattr("docrag.store.series.today", lambda: today() + DAY)
    library.fill(second.id, "izin iki")
    assert shown(library, first) == first
    assert found(library.store, today() + DAY) == {"izin bir"}


def test_missing_document_cannot_be_replaced(library: Library) -> None:
    with pytest.raises(DocumentNotFound):
        put(library, "izin", "00000000-0000-4000-8000-000000000000")
    assert library.store.is_empty()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (NewVersion(valid_from=NEW_YEAR, valid_to=BEFORE), "later than valid_to"),
        (NewVersion(valid_from=date(1, 1, 1)), "is 0001-01-01; it must be 1000-01-01 or later"),
    ],
)
def test_impossible_days_are_refused(library: Library, version: NewVersion, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        queued(library, "izin", version)
    assert library.store.is_empty()


def test_deleting_the_newest_brings_the_one_before_back(library: Library) -> None:
    first = put(library, "izin bir", valid_from=LONG_AGO)
    second = put(library, "izin iki", first.id)
    library.store.documents.delete(second.id, access=ADMIN)
    assert shown(library, first) == first
    assert found(library.store) == {"izin bir"}


def test_deleting_the_newest_leaves_a_given_end(library: Library) -> None:
    first = put(library, "izin bir", valid_to=BEFORE)
    second = put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    library.store.documents.delete(second.id, access=ADMIN)
    assert days(library, first) == [(None, BEFORE)]
    assert found(library.store) == set()


def test_deleting_the_middle_closes_the_gap(library: Library) -> None:
    first = put(library, "izin bir", valid_from=LONG_AGO)
    second = put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    put(library, "izin üç", first.id)
    library.store.documents.delete(second.id, access=ADMIN)
    assert days(library, first) == [(LONG_AGO, today() - DAY)]


def test_days_can_be_changed(library: Library) -> None:
    first = put(library, "izin bir")
    second = put(library, "izin iki", first.id)
    changed = library.store.documents.set_dates(
        second.id, valid_from=NEW_YEAR, valid_to=None, access=ADMIN
    )
    assert (changed.valid_from, changed.valid_to) == (NEW_YEAR, None)
    assert days(library, first) == [(None, BEFORE)]


def test_bounds_that_are_changed_at_one_time_both_hold(library: Library) -> None:
    first = put(library, "izin bir")
    documents = library.store.documents
    with documents._sessions.begin() as session:
        series.lock(session, first.id)
        other = library.in_thread(
            lambda: (
                None if documents.set_dates(first.id, valid_from=LONG_AGO, access=ADMIN) else None
            )
        )
        library.wait_for_a_lock()
        row = session.query(DocumentRow).one()
        series.date_version(session, row, series.KEPT, NEW_YEAR)
    other.result(timeout=10)
    assert days(library, first) == [(LONG_AGO, NEW_YEAR)]


@pytest.mark.parametrize("roles", [["ik"], []])
def test_days_are_changed_by_administrators_only(library: Library, roles: list[str]) -> None:
    first = put(library, "izin bir")
    with pytest.raises(Exception, match="admin|not found"):
        library.store.documents.set_dates(
            first.id, valid_from=None, valid_to=BEFORE, access=Access.of(roles)
        )
    assert shown(library, first) == first


Search = Callable[[Store, Access], set[str]]


def dense(store: Store, access: Access) -> set[str]:
    hits = store.chunks.candidates(terms=[], vector=spread("q"), access=access, k=50)
    return {hit.chunk.text for hit in hits}


def lexical(store: Store, access: Access) -> set[str]:
    hits = store.chunks.candidates(terms=f5("izin"), vector=None, access=access, k=50)
    return {hit.chunk.text for hit in hits}


def hybrid(store: Store, access: Access) -> set[str]:
    hits = store.chunks.candidates(terms=f5("izin"), vector=spread("q"), access=access, k=50)
    return {hit.chunk.text for hit in hits}


def hnsw(store: Store, access: Access) -> set[str]:
    return hybrid(Store(store._sessions.engine, exact_threshold=0), access)


def found(store: Store, on: date | None = None, search: Search = hybrid) -> set[str]:
    """Texts that a search of that day finds."""
    return search(store, Access(roles=frozenset({"ik"}), on=on))


@pytest.mark.parametrize("search", [dense, lexical, hybrid, hnsw])
def test_search_keeps_to_its_day(library: Library, search: Search) -> None:
    first = put(library, "izin bir", valid_from=LONG_AGO)
    put(library, "izin iki", first.id, valid_from=NEW_YEAR, valid_to=today() - DAY)
    put(library, "izin üç", first.id)
    store = library.store
    assert found(store, search=search) == {"izin üç"}
    assert found(store, today(), search) == {"izin üç"}
    assert found(store, NEW_YEAR, search) == found(store, today() - DAY, search) == {"izin iki"}
    assert found(store, BEFORE, search) == found(store, LONG_AGO, search) == {"izin bir"}
    assert found(store, LONG_AGO - DAY, search) == set()


def test_day_opens_nothing_that_roles_do_not(library: Library) -> None:
    first = put(library, "izin bir")
    put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    for roles in (frozenset[str](), frozenset({"bilgi"})):
        assert hybrid(library.store, Access(roles=roles, on=BEFORE)) == set()


def test_neighbours_keep_to_the_day(library: Library) -> None:
    first = put(library, "izin bir")
    library.store.documents.add(
        first.id, pages=[], chunks=chunks_of(["izin bir", "komşu"]), vectors=None, space_id=None,
        terms=[["izin"], ["komşu"]], warnings=[],
    )  # fmt: skip
    put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    old = Access(roles=frozenset({"ik"}), on=BEFORE)
    [hit] = library.store.chunks.candidates(terms=["izin"], vector=None, access=old, k=5)
    around = library.store.neighbours.around
    chunk = [hit.chunk.chunk_id]
    assert [item.text for item in around(chunk, reach=1, access=old)] == ["komşu"]
    assert around(chunk, reach=1, access=Access.of(["ik"])) == []


def test_lists_show_all_versions(library: Library) -> None:
    first = put(library, "izin bir")
    second = put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    listed = library.store.documents.list(access=Access.of(["ik"]))
    assert {item.id for item in listed} == {first.id, second.id}
    assert library.store.documents.pages(first.id, access=Access.of(["ik"]))


def test_permitted_count_counts_what_is_searched(library: Library) -> None:
    """Else the scan of the index would be taken for too short, and repeated over everything."""
    first = put(library, "izin bir")
    put(library, "izin iki", first.id, valid_from=NEW_YEAR)
    with library.store._sessions.begin(access=ADMIN) as session:
        values = {"roles": ["ik"], "day": today(), "terms": [], "bases": []}
        _, permitted = library.store.chunks._prelude(session, values)
    assert permitted == 1
