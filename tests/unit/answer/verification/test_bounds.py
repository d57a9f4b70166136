"""A number is the least or the most by the words around it."""

from __future__ import annotations

import pytest

from docrag.answer.verification.bounds import LEAST, MOST, bound
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
