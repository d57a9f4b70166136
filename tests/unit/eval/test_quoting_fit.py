"""The regression behind quoted answers."""

from __future__ import annotations

import numpy as np

from eval.quoting_fit import Examples, crossed, fitted

ROWS = [{"match": float(n % 2), "noise": float(n % 3)} for n in range(60)]


def examples() -> Examples:
    """What matches is right, of twenty texts."""
    labels = [row["match"] for row in ROWS]
    return Examples.of(ROWS, labels, [1.0] * 60, [n // 3 for n in range(60)])


def test_feature_that_tells_gets_the_weight() -> None:
    model = fitted(examples())
    assert model.weights["match"] > 2
    assert abs(model.weights["noise"]) < 0.5


def test_feature_that_a_row_does_not_tell_is_none() -> None:
    made = Examples.of([{"match": 1.0}, {}], [1.0, 0.0], [1.0, 1.0], [1, 2])
    assert made.features.tolist() == [[1.0], [0.0]]


def test_judged_ones_have_not_been_learnt_from() -> None:
    right = np.array([row["match"] for row in ROWS]) > 0
    odds = crossed(examples(), 5, 0)
    assert odds[right].min() > odds[~right].max()
