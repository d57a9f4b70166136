"""The language of a question."""

from __future__ import annotations

import unicodedata

import pytest

from docrag.answer.language import language_of


@pytest.mark.parametrize(
    "text",
    [
        "Yıllık izin kaç gündür?", "YILLIK İZİN KAÇ GÜNDÜR?", "yillik izin kac gun", "İzin süresi?",
        "Çalışan temsilcisi sayısı neye göre belirlenir?", "Iğdır", "OSHA policy nedir?",
    ],
)  # fmt: skip
def test_turkish_is_noticed(text: str) -> None:
    assert language_of(text) == "tr"
    assert language_of(unicodedata.normalize("NFD", text)) == "tr"


@pytest.mark.parametrize(
    "text", ["How many days of leave?", "IS IT MANDATORY?", "What does the law say about İSG?"]
)
def test_english_is_noticed(text: str) -> None:
    assert language_of(text) == "en"


@pytest.mark.parametrize("text", ["", "620?", "Forklift?", "Wie viele Urlaubstage?"])
def test_nothing_is_guessed(text: str) -> None:
    assert language_of(text) is None
