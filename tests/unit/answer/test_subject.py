"""What a question is about."""

from __future__ import annotations

import pytest

from docrag.answer.subject import as_written, sought_words, without_suffixes


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("F-03'ün kapasitesi nedir?", ("03", "kapasitesi")),
        ("MARS'TA hayat var mı?", ("mars", "hayat")),
        ("Gaz kokusu alırsam kimi ararım?", ("gaz", "kokusu")),
        ("siren calinca ne yapacagiz", ("siren", "calinca")),
        ("Ne yapayım?", ("yapayim",)),
        ("Harcı ne kadardır?", ("harci",)),
    ],
)
def test_endings_and_vague_verbs_are_not_sought(question: str, sought: tuple[str, ...]) -> None:
    assert sought_words(question) == sought


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Mars’ta", "Mars"), ("O'Brien'in", "O'Brien"), ("'Sarı' ne?", "'Sarı' ne?"), ("", "")],
)
def test_only_endings_behind_an_apostrophe_go(text: str, plain: str) -> None:
    assert without_suffixes(text) == plain


def test_words_are_shown_as_they_were_written() -> None:
    question = "Mars'ta YAŞAR harcı, Işık?"
    folded = ("mars", "yasar", "harci", "isik", "other", "mars")
    assert as_written(folded, question) == ("Mars", "YAŞAR", "harcı", "Işık", "other")
