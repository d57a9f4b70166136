"""The synthetic set of the filtered benchmark, and how it is scored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from eval.asking import Asked
from eval.bench_filtered import row
from eval.filtered import CELLS, CHUNKS, Cell, FilteredSet, exact, make_set, recall, shape, short


@pytest.fixture(scope="module")
def data() -> FilteredSet:
    return make_set(4_000, queries=20)


def test_set_is_the_same_for_a_seed(data: FilteredSet) -> None:
    again = make_set(4_000, queries=20)
    assert np.array_equal(again.vectors, data.vectors)
    assert np.array_equal(again.queries, data.queries)
    assert all(np.array_equal(again.roles[role], data.roles[role]) for role in data.roles)


def test_vectors_have_length_one(data: FilteredSet) -> None:
    assert np.linalg.norm(data.vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(data.queries, axis=1) == pytest.approx(1, abs=1e-5)


def test_set_looks_like_an_embedding_model(data: FilteredSet) -> None:
    seen = shape(data)
    assert 0.93 < seen["top_1"] < 0.97
    assert 0.24 < seen["median"] < 0.32
    assert 14 < seen["dimension"] < 23


@pytest.mark.parametrize(
    ("roles", "share"), [("admin", 1), ("r50", 0.5), ("c50", 0.5), ("r10", 0.1), ("c1", 0.01)]
)
def test_role_reads_its_share(data: FilteredSet, roles: str, share: float) -> None:
    assert data.permitted(Cell(roles=(roles,))).mean() == pytest.approx(share)


def test_two_roles_read_what_either_does(data: FilteredSet) -> None:
    both = data.permitted(Cell(roles=("r10", "c10")))
    assert np.array_equal(both[::CHUNKS], data.roles["r10"] | data.roles["c10"])


def test_correlated_role_is_of_whole_topics(data: FilteredSet) -> None:
    own = set(data.topics[data.roles["c10"]])
    other = set(data.topics[~data.roles["c10"]])
    # The last topic may be cut to keep the share.
    assert len(own & other) <= 1
    assert len(own) < 30


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_exact_equals_sorting_everything(data: FilteredSet, cell: Cell) -> None:
    cosines = data.queries.astype(np.float64) @ data.vectors.astype(np.float64).T
    order = np.argsort(np.where(data.permitted(cell), -cosines, np.inf), axis=1, kind="stable")
    count = min(10, int(data.permitted(cell).sum()))
    assert exact(data, cell) == order[:, :count].tolist()


def test_set_is_read_as_it_was_written(data: FilteredSet, tmp_path: Path) -> None:
    data.save(tmp_path / "set.npz")
    read = FilteredSet.load(tmp_path / "set.npz")
    assert np.array_equal(read.vectors, data.vectors)
    assert read.roles_of(3) == data.roles_of(3)


def test_recall_is_a_mean_over_all_questions() -> None:
    assert recall([[1, 2], [], [7]], [[2, 1], [3, 4], [8]]) == pytest.approx(1 / 3)


def test_recall_of_what_nobody_may_read_is_full() -> None:
    assert recall([[]], [[]]) == 1


def test_short_counts_questions_with_too_few() -> None:
    assert short([[1, 2], [3], []], [[1, 2], [3, 4], []]) == 1


def test_row_has_the_agreed_keys(data: FilteredSet) -> None:
    cell = Cell(roles=("c10",))
    truth = exact(data, cell)
    written = row("docrag", data, cell, Asked(found=truth, seconds=[0.002] * 20), truth)
    agreed = "system selectivity correlated recall@10 p50_ms p95_ms short_results".split()
    assert {key: written[key] for key in agreed} == {
        "system": "docrag",
        "selectivity": 0.1,
        "correlated": True,
        "recall@10": 1.0,
        "p50_ms": 2.0,
        "p95_ms": 2.0,
        "short_results": 0,
    }


def test_forbidden_result_stops_the_benchmark(data: FilteredSet) -> None:
    cell = Cell(roles=("r1",))
    hidden = int(np.flatnonzero(~data.permitted(cell))[0])
    truth = exact(data, cell)
    asked = Asked(found=[[hidden]] * 20, seconds=[0.002] * 20)
    with pytest.raises(RuntimeError, match="may not read"):
        row("rival", data, cell, asked, truth)
