"""Words are one word but for their endings."""

from __future__ import annotations

import pytest

from docrag.answer.verification.endings import same, term


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ankara", "ankarali"),
        ("enstitusu", "enstitusunde"),
        ("kitap", "kitabi"),
        ("mehmet", "mehmedin"),
        ("universitesi", "universitede"),
        ("sezgin", "sezginin"),
    ],
)
def test_word_with_endings_is_the_same(first: str, second: str) -> None:
    assert same(first, second)
    assert same(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("halep", "halil"),
        ("bitlis", "bitki"),
        ("al", "ali"),
        ("istanbul", "istanos"),
        ("mart", "marmara"),
    ],
)
def test_other_word_is_not_the_same(first: str, second: str) -> None:
    assert not same(first, second)


def test_term_hardens_its_last_letter() -> None:
    assert term("kitabinda") == term("kitap") == "kitap"
