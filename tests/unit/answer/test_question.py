"""The question that is searched and judged."""

from __future__ import annotations

import pytest

from docrag.answer.question import LONGEST, asked, core
from docrag.api import words


def test_long_message_is_searched_by_its_end() -> None:
    end = asked("önce " * 1000 + "İşveren yükümlü müdür?")
    assert end.endswith("İşveren yükümlü müdür?")
    assert len(end) <= LONGEST
    assert end.startswith("önce")


def test_one_endless_word_is_cut() -> None:
    assert len(asked("a" * 5000)) == LONGEST


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Arkadaşımız yaralandı. SGK bildirimi kaç gün?", "SGK bildirimi kaç gün?"),
        ("Forklift hızı en fazla kaçtır? Teşekkürler.", "Forklift hızı en fazla kaçtır?"),
        ("Ceza?", "Ceza?"),
    ],
)
def test_core_is_the_sentence_that_asks(question: str, wanted: str) -> None:
    assert core(question) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "TC kimlik no: 10000000146, iznim kaç gün?",
        "Telefonum 0532 123 45 67, iznim kaç gün?",
        "iznim kaç gün? TC10000000146",
    ],
)
def test_personal_data_are_no_words_of_the_question(text: str) -> None:
    assert words(asked(text)) == ["iznim", "kaç", "gün"]
