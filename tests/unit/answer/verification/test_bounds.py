"""A number is the least or the most by the words around it."""

from __future__ import annotations

import pytest

from docrag.answer.verification.bounds import (
    LEAST,
    MOST,
    OVER,
    UNDER,
    are_opposite,
    bound,
    limiting,
)
from docrag.answer.verification.numbers import numbers
from docrag.answer.verification.tokens import tokens


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("en az 30 gün", LEAST),
        ("asgari 30 gün", LEAST),
        ("30 günden az olamaz", LEAST),
        ("en çok 30 gün", MOST),
        ("en geç otuz gün içinde", MOST),
        ("azami 30 gün", MOST),
        ("30 günü aşamaz", MOST),
        ("30 günden fazla olamaz", MOST),
        ("at most 30 days", MOST),
        ("30 gün sürer", ""),
        ("en az 4, en çok 30 gün", MOST),
    ],
)
def test_bound_is_read(text: str, told: str) -> None:
    found = tokens(text)
    assert bound(found, numbers(text, found)[-1]) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("25 metreden fazla olmalıdır", LEAST),
        ("25 metreden az olmalıdır", MOST),
        ("5 litreden fazlaysa", OVER),
        ("5 litreden azsa", UNDER),
        ("15 yıl ve daha fazla", OVER),
        ("en geç 14 gün önce", LEAST),
        ("en geç 14 gün içinde", MOST),
    ],
)
def test_side_of_a_number_is_read(text: str, told: str) -> None:
    found = tokens(text)
    assert bound(found, numbers(text, found)[-1]) == told


def test_only_bounds_of_one_kind_are_opposite() -> None:
    assert are_opposite(LEAST, MOST)
    assert are_opposite(UNDER, OVER)
    assert not are_opposite(OVER, MOST)


def test_limiting_verb_is_placed() -> None:
    found = tokens("5 metreden az olamaz")
    assert limiting(found, numbers("5 metreden az olamaz", found)[0]) == 3  # noqa: PLR2004 - "olamaz"


def test_verb_limits_nothing_behind_en_az() -> None:
    found = tokens("en az 5 metre olamaz")
    assert limiting(found, numbers("en az 5 metre olamaz", found)[0]) is None
