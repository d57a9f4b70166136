from __future__ import annotations

import pytest

from docrag.loaders.raised import fraction, index, joined, lowered, power, raised, root, struck


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", "³"),
        ("-2", "⁻²"),
        (" 1,2 ", " ¹,² "),
        ("o", "°"),
        ("n", "^n"),
        ("inci", "inci"),
        ("uzun bir not 5", " uzun bir not 5"),
        ("", ""),
    ],
)
def test_raised_text_does_not_join_the_number_before(text: str, expected: str) -> None:
    assert raised(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("~~a~~", "~~a~~"),
        ("~~a~~~~b~~ c ~~d~~", "~~ab~~ c ~~d~~"),
        ("~~a~~ ~~b~~", "~~a b~~"),
        ("x ~~a~~ y", "x ~~a~~ y"),
    ],
)
def test_pieces_that_are_struck_stand_together(text: str, expected: str) -> None:
    assert joined(text) == expected


def test_struck_text_keeps_blanks_outside() -> None:
    assert (struck(" ığdır "), struck("  ")) == (" ~~ığdır~~ ", "  ")


def test_formula_parts_stand_in_line() -> None:
    assert [fraction("a+b", "2"), power("x", "n3"), index("L", "max"), root("3", "8")] == [
        "(a+b)/2",
        "x^n3",
        "L_max",
        "³√8",
    ]
    assert (lowered("2"), power("10", "−3"), root("", "16")) == ("₂", "10⁻³", "√16")
