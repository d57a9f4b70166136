"""The test of times is right before anybody believes it."""

from __future__ import annotations

import random

import pytest

from eval.timing import mann_whitney


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        # The example of scipy.stats.mannwhitneyu, method "asymptotic": ages at a diagnosis.
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], 0.11134688653),
        ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 0.01218578024),
        # Worked out by hand: ranks are shared, U = 2, variance 16 / 12 · (9 − 72 / 56).
        ([1, 1, 2, 2], [2, 2, 3, 3], 0.0863587396),
        ([5, 5, 5], [5, 5, 5], 1.0),
    ],
)
def test_mann_whitney_gives_known_values(first: list[float], second: list[float], p: float) -> None:
    assert mann_whitney(first, second) == pytest.approx(p, rel=1e-6)
    assert mann_whitney(second, first) == pytest.approx(p, rel=1e-6)


def test_mann_whitney_finds_a_small_shift() -> None:
    rng = random.Random(1)
    first = [rng.gauss(5.0, 1.0) for _ in range(500)]
    second = [rng.gauss(5.5, 1.0) for _ in range(500)]
    assert mann_whitney(first, second) < 0.01


def test_mann_whitney_refuses_no_values() -> None:
    with pytest.raises(ValueError, match="need values"):
        mann_whitney([], [1.0])
