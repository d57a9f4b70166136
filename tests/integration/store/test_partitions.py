"""Partitions of vectors are made and removed while others read."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, text

from docrag.api import EmbedderError, StoreError
from docrag.store import Store, partitions
from docrag.store.partitions import partition_name
from docrag.store.records import Space

from .conftest import ADMIN, DIM, Library, spread


@contextmanager
def backup(engine: Engine) -> Iterator[None]:
    """A transaction that has read all tables and stays open, as ``pg_dump`` does."""
    with engine.connect() as connection:
        for table in ("embeddings", "chunks", "embedding_spaces", "documents"):
            connection.execute(text(f"SELECT count(*) FROM {table}"))
        yield


def search(store: Store) -> int:
    """How many chunks a question finds."""
    return len(store.chunks.candidates(terms=[], vector=spread("izin"), access=ADMIN, k=9))


def names(store: Store, library: Library) -> set[str]:
    """Tables with vectors, attached or not."""
    query = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'embeddings_s%'"
    with library.engine.connect() as connection:
        return set(connection.scalars(text(query)))


@pytest.fixture
def filled(library: Library) -> Iterator[tuple[Library, Space, Space]]:
    """A library, its space, and an older one without documents."""
    library.shelve("izin", "maaş")
    used = library.store.spaces.active()
    assert used is not None
    spare = library.store.spaces.start(model_id="spare", dim=3, chunking="c")
    yield library, used, spare


def test_space_is_made_while_a_backup_reads(library: Library) -> None:
    library.shelve("izin", "maaş")
    with backup(library.engine):
        library.store.spaces.start(model_id="spare", dim=3, chunking="c")
        assert search(library.store) == 2


def test_space_is_dropped_while_others_search(filled: tuple[Library, Space, Space]) -> None:
    library, used, spare = filled
    stop, found = threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            found.add(search(library.store))

    reading = library.in_thread(read)
    assert library.store.spaces.drop() == [spare]
    stop.set()
    reading.result()
    assert found == {2}
    assert names(library.store, library) == {partition_name(used.id)}


def test_drop_gives_up_behind_a_backup_and_is_repeated(
    filled: tuple[Library, Space, Space], monkeypatch: pytest.MonkeyPatch
) -> None:
    library, used, spare = filled
    monkeypatch.setattr(partitions, "DETACH_TIMEOUT", 50)
    monkeypatch.setattr(partitions, "LOCK_TIMEOUT", 50)
    monkeypatch.setattr(partitions, "TRIES", 2)
    monkeypatch.setattr(partitions, "PAUSE", 0.01)
    with backup(library.engine):
        started = time.monotonic()
        with pytest.raises(StoreError, match="backup"):
            library.store.spaces.drop()
        assert time.monotonic() - started < 10
        assert search(library.store) == 2
        with pytest.raises(StoreError, match="being removed.*docrag reindex drop"):
            library.store.spaces.start(model_id="spare", dim=3, chunking="c")
    assert library.store.spaces.drop() == [spare]
    assert names(library.store, library) == {partition_name(used.id)}
    library.store.spaces.start(model_id="spare", dim=3, chunking="c")


def test_second_space_is_not_begun_beside_another(filled: tuple[Library, Space, Space]) -> None:
    library, used, spare = filled
    with pytest.raises(StoreError, match="spare.*is being filled.*docrag reindex"):
        library.store.spaces.start(model_id="third", dim=3, chunking="c")
    assert library.store.spaces.start(model_id="spare", dim=3, chunking="c") == spare
    assert library.store.spaces.building() == spare


def test_vectors_of_another_dimension_are_refused(filled: tuple[Library, Space, Space]) -> None:
    library, used, spare = filled
    with library.store.refills.claim(spare) as document:
        assert document is not None
        ids = [item.id for item in library.store.refills.bare(spare, document)]
    with pytest.raises(EmbedderError, match=r"\(1, 16\).*3 dimensions"):
        library.store.refills.write(spare, ids[:1], spread("izin")[None])
    values = {"space": spare.id, "e": str([1.0] * DIM)}
    insert = "INSERT INTO embeddings (space_id, chunk_id, document_id, e) SELECT :space, id, "
    insert += "document_id, CAST(:e AS halfvec) FROM chunks"
    with pytest.raises(Exception, match="ck_embeddings_s"), library.engine.begin() as connection:
        connection.execute(text(insert), values)


def test_document_is_claimed_by_one_at_a_time(library: Library) -> None:
    library.shelve("izin")
    spare = library.store.spaces.start(model_id="spare", dim=3, chunking="c")
    other = Store(library.engine)
    with library.store.refills.claim(spare) as ours, other.refills.claim(spare) as theirs:
        assert ours is not None
        assert theirs is None
    with other.refills.claim(spare) as again:
        assert again == ours
    with other.refills.claim(spare, skip=[ours.id]) as skipped:
        assert skipped is None


def test_document_that_was_read_anew_is_not_held(library: Library) -> None:
    document = library.shelve("izin")
    used = library.store.spaces.active()
    assert used is not None
    spare = library.store.spaces.start(model_id="spare", dim=3, chunking="c")
    with library.store.refills.claim(spare) as claimed:
        assert claimed is not None
        library.fill(document.id, "yeni izin")
        assert not library.store.refills.hold(spare, claimed, searched=used, warnings=[])
    assert library.store.switches.progress(spare).missing == 1


def test_document_is_not_held_across_a_switch(library: Library) -> None:
    library.shelve("izin")
    spare = library.store.spaces.start(model_id="spare", dim=3, chunking="c")
    with library.store.refills.claim(spare) as claimed:
        assert claimed is not None
        assert not library.store.refills.hold(spare, claimed, searched=spare, warnings=[])
    assert library.store.switches.progress(spare).missing == 1
