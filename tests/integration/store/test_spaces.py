"""Embedding spaces."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sqlalchemy import text

from docrag.api import EmbedderError, StoreError, Vectors
from docrag.retrievers.hybrid import HybridRetriever
from docrag.store import Store
from docrag.store.records import Space

from .conftest import ADMIN, DIM, Library, spread


class Spread:
    """The embedder of the library's vectors."""

    model_id = "spread"
    dim = DIM

    def embed_query(self, text: str) -> Vectors:
        """The vector of this text alone."""
        return spread(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One for each text."""
        return np.stack([spread(words) for words in texts])


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


BASIS = {"questions": 60}


def test_calibrated_weight_counts_from_the_next_question(library: Library) -> None:
    library.shelve("yıllık izin", "maaş bordrosu")
    retriever = HybridRetriever(store=library.store.chunks, embedder=Spread())
    before = retriever.retrieve("maaş", access=ADMIN, k=2)
    library.store.spaces.calibrate(1000.0, basis=BASIS)
    found = retriever.retrieve("maaş", access=ADMIN, k=2)
    for item in found:
        scores = {leg.name: leg.score for leg in item.legs}
        cosine = scores.pop("feedback")
        rest = sum(score for name, score in scores.items() if name != "dense")
        assert item.score == pytest.approx(rest + 1000 * cosine)
    library.store.spaces.calibrate(None)
    assert retriever.retrieve("maaş", access=ADMIN, k=2) == before


def test_option_of_the_retriever_goes_before_the_calibration(library: Library) -> None:
    library.shelve("yıllık izin")
    retriever = HybridRetriever(store=library.store.chunks, embedder=Spread(), cosine_weight=0.0)
    before = retriever.retrieve("izin", access=ADMIN, k=1)
    library.store.spaces.calibrate(1000.0, basis=BASIS)
    assert retriever.retrieve("izin", access=ADMIN, k=1) == before


def test_calibration_says_what_it_was_measured_on(library: Library) -> None:
    library.shelve("yıllık izin")
    assert library.store.chunks.cosine_weight() is None
    assert library.store.spaces.calibration() is None
    library.store.spaces.calibrate(0.0, basis=BASIS)
    assert library.store.chunks.cosine_weight() == 0.0
    assert library.store.spaces.calibration() == BASIS


@pytest.mark.parametrize("weight", [-1.0, -1e-9, float("nan"), float("inf"), float("-inf")])
def test_weight_out_of_range_is_refused(library: Library, weight: float) -> None:
    library.shelve("yıllık izin")
    library.store.spaces.calibrate(3.0, basis=BASIS)
    with pytest.raises(StoreError):
        library.store.spaces.calibrate(weight, basis=BASIS)
    assert library.store.chunks.cosine_weight() == 3.0


def test_weight_needs_its_basis(library: Library) -> None:
    library.shelve("yıllık izin")
    with pytest.raises(StoreError):
        library.store.spaces.calibrate(3.0)


def test_weight_needs_a_space(store: Store) -> None:
    with pytest.raises(StoreError, match="no embedding space is active"):
        store.spaces.calibrate(3.0, basis=BASIS)


def test_weight_belongs_to_its_space(store: Store) -> None:
    ensure(store, "eski")
    store.spaces.calibrate(3.0, basis=BASIS)
    ensure(store, "yeni")
    assert store.chunks.cosine_weight() is None
