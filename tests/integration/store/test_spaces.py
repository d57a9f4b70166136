"""Embedding spaces."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from docrag.api import EmbedderError
from docrag.store import Store
from docrag.store.records import Space

from .conftest import Library


def ensure(store: Store, model_id: str = "m", dim: int = 3, chunking: str = "c") -> Space:
    return store.spaces.ensure(model_id=model_id, dim=dim, chunking=chunking)


def test_first_space_becomes_active(store: Store) -> None:
    assert store.spaces.active() is None
    assert ensure(store) == store.spaces.active()


def test_same_space_is_not_made_twice(store: Store) -> None:
    assert ensure(store) == ensure(store)


def test_empty_active_space_gives_way(store: Store) -> None:
    ensure(store, "eski")
    assert ensure(store, "yeni") == store.spaces.active()


def test_active_space_with_vectors_stays(library: Library) -> None:
    library.shelve("yıllık izin")
    used = library.store.spaces.active()
    assert ensure(library.store, "yeni") != used
    assert library.store.spaces.active() == used


def test_spaces_made_at_once_are_one(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: ensure(store), range(4)))
    assert len(set(made)) == 1


def test_deleted_space_takes_its_vectors(library: Library) -> None:
    library.shelve("yıllık izin")
    with library.engine.begin() as connection:
        connection.execute(text("DELETE FROM embedding_spaces"))
        assert connection.scalar(text("SELECT count(*) FROM embeddings")) == 0


@pytest.mark.parametrize("dim", [0, -1, 4001])
def test_dimension_out_of_range_is_refused(store: Store, dim: int) -> None:
    with pytest.raises(EmbedderError, match=str(dim)):
        ensure(store, dim=dim)


def test_widest_space_can_be_made(store: Store) -> None:
    assert ensure(store, dim=4000).dim == 4000
