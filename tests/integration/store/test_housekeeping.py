"""Whose turn it is to clean up."""

from __future__ import annotations

from sqlalchemy import func, select, text

from docrag.api import f5
from docrag.store import Store, make_engine
from docrag.store.contents import TERMS_LOCK

from .conftest import ADMIN, Library


def test_turn_is_one_process_at_a_time(store: Store, database_url: str) -> None:
    engine = make_engine(database_url)
    other = Store(engine)
    with store.housekeeping.turn() as mine, other.housekeeping.turn() as theirs:
        assert (mine, theirs) == (True, False)
    with other.housekeeping.turn() as theirs:
        assert theirs
    engine.dispose()


def test_turn_is_given_back_after_a_failure(store: Store, database_url: str) -> None:
    engine = make_engine(database_url)
    try:
        with store.housekeeping.turn():
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    with Store(engine).housekeeping.turn() as theirs:
        assert theirs
    engine.dispose()


def terms(library: Library) -> set[str]:
    """The words that the database knows."""
    with library.engine.connect() as connection:
        return set(connection.scalars(text("SELECT term FROM terms")))


def test_words_of_a_deleted_document_go(library: Library) -> None:
    kept, gone = library.shelve("izin ışık"), library.shelve("ışık gizli")
    library.store.documents.delete(gone.id, access=ADMIN)
    assert library.store.housekeeping.sweep_terms() == 1
    assert terms(library) == set(f5("izin ışık"))
    assert library.store.documents.get(kept.id, access=ADMIN).chunks == 1


def test_words_stay_while_a_document_is_written(library: Library) -> None:
    gone = library.shelve("gizli")
    library.store.documents.delete(gone.id, access=ADMIN)
    with library.engine.begin() as writer:
        writer.execute(select(func.pg_advisory_xact_lock_shared(*TERMS_LOCK)))
        assert library.store.housekeeping.sweep_terms() == 0
    assert library.store.housekeeping.sweep_terms() == 1


def test_writer_waits_for_the_sweep_and_has_its_words(library: Library) -> None:
    library.store.documents.delete(library.shelve("gizli").id, access=ADMIN)
    document, _ = library.queue(data=b"yeni")
    with library.engine.begin() as sweeper:
        sweeper.execute(select(func.pg_advisory_xact_lock(*TERMS_LOCK)))
        writing = library.in_thread(lambda: library.fill(document.id, "gizli"))
        library.wait_for_a_lock()
        sweeper.execute(text("DELETE FROM terms"))
    writing.result(10)
    assert terms(library) == {"gizli"}
    assert library.store.chunks.statistics("f5", ["gizli"]).document_frequency["gizli"] == 1
