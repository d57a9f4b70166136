"""Words that only hold together what is told."""

from __future__ import annotations

import pytest

from docrag.answer.gate.filling import is_filling
from docrag.api import fold, lower


@pytest.mark.parametrize(
    "word",
    ["diye", "Hiçbir", "İÇİNDE", "kendisi", "verilmeli", "edip", "olacak", "Girmek"]
    + ["kalınca", "yapmayan", "aldığımız", "istiyorlar", "vermezse"],
)
def test_words_of_every_question_are(word: str) -> None:
    assert is_filling(fold(lower(word)))


@pytest.mark.parametrize(
    "word",
    ["altı", "alacak", "alacağı", "alanı", "işten", "görev", "durumu", "kalite", "ölen", "tutar"]
    + ["konsey", "konular", "izin", "yıllık", "işveren", "gelirler", "alet", "bakan", "acil", ""]
    + ["alan", "gelir", "gider", "giderler", "kişi", "kalan", "yazar", "adet"],
)
def test_words_that_tell_something_are_not(word: str) -> None:
    assert not is_filling(fold(lower(word)))


def test_decomposed_letters_are_the_same() -> None:
    assert is_filling(fold(lower("ic\u0327inde")))
