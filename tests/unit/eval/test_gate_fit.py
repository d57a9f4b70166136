"""The regression behind the evidence gate."""

from __future__ import annotations

import numpy as np
import pytest

from eval.gate_fit import Cases, auroc, cross_validated, fitted, monotone


def cases(**columns: list[float]) -> Cases:
    """Ten answered questions, then ten others, with these signs; each its own group."""
    answered = np.array([True] * 10 + [False] * 10)
    return Cases(
        names=tuple(columns),
        signs=np.array([list(values) for values in columns.values()]).T,
        answered=answered,
        groups=tuple(map(str, range(20))),
        is_clear=np.ones(20, dtype=bool),
        is_plain=np.ones(20, dtype=bool),
        is_whole=np.zeros(20, dtype=bool),
    )


HIGH = [0.6 + n / 50 for n in range(10)] + [0.5 + n / 50 for n in range(10)]


def test_model_answers_where_the_sign_is_high() -> None:
    known = cases(match=HIGH)
    found = fitted(known).probability(known)
    assert found[9] > 0.5 > found[10]
    assert list(np.argsort(found)) == list(np.argsort(HIGH))


def test_usual_value_gives_the_bias() -> None:
    known = cases(match=HIGH)
    model = fitted(known)
    (_, usual) = model.signs["match"]
    one = cases(match=[usual] * 20)
    assert model.probability(one) == pytest.approx(1 / (1 + np.exp(-model.bias)))


def test_point_becomes_one_half() -> None:
    known = cases(match=HIGH)
    model = fitted(known)
    before, after = model.probability(known), model.moved(0.7).probability(known)
    assert list(before >= 0.7) == list(after >= 0.5)


def test_sign_that_counts_the_wrong_way_is_left_out() -> None:
    against = [1 - value for value in HIGH]
    assert monotone(cases(match=HIGH, lead=against)) == ("match",)
    assert monotone(cases(match=HIGH, names_missing=against)) == ("match", "names_missing")
    assert monotone(cases(lead=against)) == ()


def test_no_question_is_judged_by_itself() -> None:
    known = cases(match=[1.0] * 9 + [0.0] + [0.0] * 10)
    assert cross_validated(known)[9] < 0.5


@pytest.mark.parametrize(
    ("found", "area"), [([3, 2, 1, 0], 1.0), ([0, 1, 2, 3], 0.0), ([1, 1, 1, 1], 0.5)]
)
def test_auroc_counts_ties_half(found: list[float], area: float) -> None:
    answered = np.array([True, True, False, False])
    assert auroc(np.array(found, dtype=np.float64), answered) == area
