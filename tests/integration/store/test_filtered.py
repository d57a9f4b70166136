"""Filtered search on the benchmark's set, made small: as good as exact for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from sqlalchemy import Engine

from docrag.store import Store, make_engine
from eval.filtered import CELLS, CHUNKS, DIM, Cell, FilteredSet, K, exact, make_set, recall
from eval.filtered_store import fill, searcher

#: Above this, the index is searched: for 1,080 permitted chunks and more, so for four askers.
THRESHOLD = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A set and the database that holds it."""

    data: FilteredSet
    engine: Engine
    #: What was asked already, since several tests look at the same answers.
    known: dict[tuple[Cell, int], list[list[int]]] = field(default_factory=dict)

    def found(self, cell: Cell, threshold: int) -> list[list[int]]:
        """What docrag finds for each question."""
        if (cell, threshold) not in self.known:
            search = searcher(Store(self.engine, exact_threshold=threshold), cell)
            self.known[cell, threshold] = [search(query) for query in self.data.queries]
        return self.known[cell, threshold]


@pytest.fixture(scope="module")
def clustered(shared_database_url: str) -> Iterator[Filled]:
    engine = make_engine(shared_database_url)
    data = make_set(6_000, queries=40)
    fill(engine, data)
    yield Filled(data=data, engine=engine)
    engine.dispose()


@pytest.mark.parametrize("threshold", [THRESHOLD, 0], ids=["adaptive", "hnsw"])
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_filtered_recall_is_nearly_full(clustered: Filled, cell: Cell, threshold: int) -> None:
    found = clustered.found(cell, threshold)
    assert recall(found, exact(clustered.data, cell)) >= 0.99


@pytest.mark.parametrize("threshold", [THRESHOLD, 0], ids=["adaptive", "hnsw"])
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_filtered_search_is_never_short(clustered: Filled, cell: Cell, threshold: int) -> None:
    wanted = min(K, int(clustered.data.permitted(cell).sum()))
    assert {len(found) for found in clustered.found(cell, threshold)} == {wanted}


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_filtered_search_stays_inside_the_roles(clustered: Filled, cell: Cell) -> None:
    permitted = clustered.data.permitted(cell)
    assert all(permitted[i] for found in clustered.found(cell, 0) for i in found)


@pytest.fixture
def minority(engine: Engine) -> Filled:
    """5,000 random chunks for one role and 50 for another; questions are near the hidden ones."""
    rng = np.random.default_rng(17)
    vectors = rng.standard_normal((5_050, DIM)).astype(np.float32)
    documents = np.arange(len(vectors) // CHUNKS)
    data = FilteredSet(
        vectors=vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
        topics=np.zeros(len(documents), dtype=np.int64),
        roles={"uretim": documents < 500, "ik": documents >= 500},
        queries=vectors[:20] / np.linalg.norm(vectors[:20], axis=1, keepdims=True),
    )
    fill(engine, data)
    return Filled(data=data, engine=engine)


def test_few_permitted_among_many_are_all_found(minority: Filled) -> None:
    ik = Cell(roles=("ik",))
    best = exact(minority.data, ik, k=5)
    for threshold in (0, 25_000):
        assert [found[:5] for found in minority.found(ik, threshold)] == best
