from __future__ import annotations

import numpy as np
import pytest

from eval.measures import interval, rank, value


@pytest.mark.parametrize(
    ("found", "relevant", "place"),
    [(["a", "b"], ["b"], 2), (["a", "b"], ["b", "a"], 1), (["a"], ["c"], 0), ([], ["a"], 0)],
)
def test_rank_is_that_of_the_best_relevant(
    found: list[str], relevant: list[str], place: int
) -> None:
    assert rank(found, relevant) == place


@pytest.mark.parametrize(
    ("name", "place", "expected"),
    [
        ("recall@1", 1, 1.0),
        ("recall@1", 2, 0.0),
        ("recall@5", 5, 1.0),
        ("recall@5", 6, 0.0),
        ("mrr@10", 4, 0.25),
        ("mrr@10", 11, 0.0),
        ("recall@10", 0, 0.0),
        ("mrr@10", 0, 0.0),
    ],
)
def test_value_counts_to_its_depth(name: str, place: int, expected: float) -> None:
    assert value(name, place) == expected


def test_interval_holds_its_mean_and_narrows() -> None:
    few, many = np.array([0.0, 1.0] * 10), np.array([0.0, 1.0] * 1000)
    mean, low, high = interval(few)
    assert low < mean == 0.5 < high
    assert interval(many)[2] - interval(many)[1] < high - low


def test_interval_is_the_same_every_time() -> None:
    values = np.random.default_rng(5).random(50)
    assert interval(values) == interval(values)
