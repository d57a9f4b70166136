from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.bm25 import K1, B, idf, saturation

UNITS = st.integers(1, 10_000)


@given(units=UNITS, share=st.floats(0, 1))
def test_idf_is_the_formula_and_above_zero(units: int, share: float) -> None:
    frequency = int(units * share)
    assert idf(units, frequency) > 0
    assert idf(units, frequency) == pytest.approx(
        math.log(1 + (units - frequency + 0.5) / (frequency + 0.5))
    )


@given(units=UNITS)
def test_rarer_terms_weigh_more(units: int) -> None:
    weights = [idf(units, frequency) for frequency in range(min(units, 50) + 1)]
    assert weights == sorted(weights, reverse=True)


@given(tf=st.integers(0, 1000), length=st.integers(1, 5000), average=st.floats(0.5, 5000))
def test_saturation_is_the_formula(tf: int, length: int, average: float) -> None:
    got = saturation(np.array([float(tf)]), np.array([float(length)]), average)
    norm = K1 * (1 - B + B * length / average)
    assert got[0] == pytest.approx(tf * (K1 + 1) / (tf + norm))
    assert 0 <= got[0] < K1 + 1


def test_saturation_of_nothing_takes_every_unit_as_average() -> None:
    tf = np.array([[0.0, 1.0], [2.0, 3.0]])
    got = saturation(tf, np.zeros((2, 1)), 0.0)
    assert got == pytest.approx(tf * (K1 + 1) / (tf + K1))


def test_lengths_stand_beside_all_terms_of_a_unit() -> None:
    tf = np.ones((3, 2))
    got = saturation(tf, np.array([[5.0], [10.0], [20.0]]), 10.0)
    assert got.shape == (3, 2)
    assert got[1, 0] == pytest.approx(1.0)
    assert got[0, 0] > 1.0 > got[2, 0]
    assert (got[:, 0] == got[:, 1]).all()
