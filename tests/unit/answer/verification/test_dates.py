"""Dates are read in the usual forms, as far as they are told."""

from __future__ import annotations

import pytest

from docrag.answer.verification.dates import Date, dates
from docrag.answer.verification.tokens import tokens


def _read(text: str) -> list[Date]:
    return dates(text, tokens(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("12.03.2019", (12, 3, 2019)),
        ("12/3/2019", (12, 3, 2019)),
        ("2019-03-12", (12, 3, 2019)),
        ("12 Mart 2019'da", (12, 3, 2019)),
        ("12 mart 2019", (12, 3, 2019)),
        ("March 12, 2019", (12, 3, 2019)),
        ("ö.25.10.2003", (25, 10, 2003)),
        ("Aralık 2019", (None, 12, 2019)),
        ("Mayıs'ın 3'ünde 1924'te", (3, 5, 1924)),
        ("12 Eylül", (12, 9, None)),
        ("2025'te", (None, None, 2025)),
    ],
)
def test_date_is_read(text: str, told: tuple[int | None, ...]) -> None:
    assert told in [(date.day, date.month, date.year) for date in _read(text)]


@pytest.mark.parametrize(
    "text", ["20.00'de başlar", "99/14 sayılı", "40.13.2019", "3000 kişi", "%2019"]
)
def test_other_figures_are_no_date(text: str) -> None:
    assert _read(text) == []


def test_precise_date_holds_its_year() -> None:
    precise, year = _read("24 Ekim 1924")[0], _read("1924")[0]
    assert precise.holds(year)
    assert not year.holds(precise)
