"""The regression behind quoted answers."""

from __future__ import annotations

import numpy as np

from eval.quoting_fit import Examples, Model, crossed, fitted

ROWS = [{"match": float(n % 2), "noise": float(n % 3)} for n in range(60)]


def examples() -> Examples:
    """What matches is right, of twenty texts."""
    labels = [row["match"] for row in ROWS]
    return Examples.of(ROWS, labels, [n // 3 for n in range(60)])


def test_feature_that_tells_gets_the_weight() -> None:
    model = fitted(examples())
    assert model.weights["match"] > 2
    assert abs(model.weights["noise"]) < 0.5


def test_feature_that_a_row_does_not_tell_is_none() -> None:
    made = Examples.of([{"match": 1.0}, {}], [1.0, 0.0], [1, 2])
    assert made.features.tolist() == [[1.0], [0.0]]


def test_judged_ones_have_not_been_learnt_from() -> None:
    right = np.array([row["match"] for row in ROWS]) > 0
    odds = crossed(examples(), 5, 0)
    assert odds[right].min() > odds[~right].max()


def test_model_stays_near_another_one_where_nothing_is_told() -> None:
    few = Examples.of([{"match": 1.0}, {"match": 0.0}] * 3, [1.0, 0.0] * 3, list(range(6)))
    known = Model(bias=0.0, weights={"match": 3.0})
    assert abs(fitted(few, near=known).weights["match"] - 3) < 1


def test_doubtful_labels_are_not_learnt_from() -> None:
    labels = [row["match"] for row in ROWS]
    wrong = [1 - label for label in labels]
    places = list(range(60))
    both = Examples.of(
        [*ROWS, *ROWS], [*labels, *wrong], [*places, *places], [True] * 60 + [False] * 60
    )
    assert fitted(both).weights == fitted(examples()).weights


def test_odds_are_the_sum_of_bias_and_weighted_features() -> None:
    model = Model(bias=-1.0, weights={"match": 3.0})
    assert model.odds({"match": 0.5, "unknown": 9.0}) == 0.5
