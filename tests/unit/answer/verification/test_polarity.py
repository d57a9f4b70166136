"""Denied verbs are told from affirmed ones."""

from __future__ import annotations

import pytest

from docrag.answer.verification.polarity import affirms, denials, denied_stem
from docrag.answer.verification.tokens import tokens


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("yapilamaz", "yapil"),
        ("gerekmez", "gerek"),
        ("dogmamistir", "dog"),
        ("bulunmamaktadir", "bulun"),
        ("odenmeyecektir", "oden"),
        ("calistirilmamalari", "calistiril"),
        ("etmiyor", "et"),
        ("olmaksizin", "ol"),
    ],
)
def test_denied_verb_has_a_stem(word: str, stem: str) -> None:
    assert denied_stem(word) == stem


@pytest.mark.parametrize(
    "word",
    [
        "yapilir",
        "bulunmaktadir",
        "tamamladi",
        "namaz",
        "temmuz",
        "sermayenin",
        "yilmaz",
        "anlasmazlik",
    ],
)
def test_other_word_is_not_denied(word: str) -> None:
    assert denied_stem(word) == ""


@pytest.mark.parametrize(
    ("text", "stem"),
    [("zorunda değildir", "zorunda"), ("it is not allowed", "allowed"), ("kaydı yoktur", "kaydi")],
)
def test_denying_word_denies_its_neighbour(text: str, stem: str) -> None:
    assert [denial.stem for denial in denials(tokens(text))] == [stem]


@pytest.mark.parametrize(
    ("stem", "word"),
    [("dog", "dogdu"), ("yapil", "yapilir"), ("gerek", "zorundadir"), ("as", "asilabilir")],
)
def test_affirmed_verb_is_of_the_stem(stem: str, word: str) -> None:
    assert affirms(stem, word)


def test_denied_verb_does_not_affirm() -> None:
    assert not affirms("yapil", "yapilmaz")
