"""Items of lists."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.items import follows, introduces


@pytest.mark.parametrize(
    "text",
    [
        "Aranacak numaralar aşağıdadır.",
        "Aşağıdaki kurallara uyulur.",
        "Süreler şöyledir.",
        "İlkeler şunlardır.",
        "Operatör şunları denetler:",
        "The numbers are below.",
    ],
)
def test_sentence_that_points_below_introduces(text: str) -> None:
    assert introduces(text)


@pytest.mark.parametrize("text", ["Aşağı inilir.", "Süre 14 gündür.", "Bunları yazar, imzalar."])
def test_other_sentence_does_not_introduce(text: str) -> None:
    assert not introduces(text)


@pytest.mark.parametrize(
    ("before", "text"), [("c) x", "ç) y"), ("ğ) x", "h) y"), ("1) x", "2) y"), ("ı) x", "i) y")]
)
def test_next_item_follows(before: str, text: str) -> None:
    assert follows(before, text)


@pytest.mark.parametrize(
    ("before", "text"), [("c) x", "a) y"), ("3) x", "b) y"), ("1) x", "(2) y"), ("a) x", "k) y")]
)
def test_item_of_another_list_does_not_follow(before: str, text: str) -> None:
    assert not follows(before, text)
