"""Words for units are told from words that begin like them."""

from __future__ import annotations

import pytest

from docrag.answer.verification.units import agree, unit_of


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("gunluk", "day"),
        ("aydan", "month"),
        ("yillik", "year"),
        ("saati", "hour"),
        ("metreden", "m"),
        ("kisilik", "person"),
        ("haftadir", "week"),
        ("tl", "lira"),
        ("%", "percent"),
    ],
)
def test_unit_is_known_with_its_endings(word: str, unit: str) -> None:
    assert unit_of(word) == unit


@pytest.mark.parametrize("word", ["ayni", "gunes", "yasak", "sayili", "kelime", "x" * 5_000])
def test_other_word_is_no_unit(word: str) -> None:
    assert unit_of(word) == ""


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [("day", "day", True), ("day", "", True), ("age", "year", True), ("day", "month", False)],
)
def test_units_agree(first: str, second: str, same: bool) -> None:
    assert agree(first, second) is same
