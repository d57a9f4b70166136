from __future__ import annotations

import pytest

from docrag.retrievers.question import MAX_CHARACTERS, searched


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("  izin süresi?\n", "izin süresi?"),
        ("", ""),
        (" \t\n", ""),
        ("izin\0süresi", "izin süresi"),
        ("ı" * MAX_CHARACTERS, "ı" * MAX_CHARACTERS),
    ],
)
def test_short_question_is_searched_whole(query: str, expected: str) -> None:
    assert searched(query) == expected


def test_end_of_long_question_is_searched() -> None:
    text = searched("yapıştırılan metin " * 200 + "izin süresi kaç gün?")
    assert text.endswith("izin süresi kaç gün?")
    assert len(text) <= MAX_CHARACTERS


@pytest.mark.parametrize("space", [" ", "\n"])
def test_cut_leaves_no_half_word(space: str) -> None:
    assert set(searched(space.join(["çalışan"] * 500)).split()) == {"çalışan"}


def test_whole_word_at_the_cut_stays() -> None:
    question = "önce " + "ab " * (MAX_CHARACTERS // 3) + "a"
    assert searched(question) == question.removeprefix("önce ")


def test_question_of_one_endless_word_is_cut() -> None:
    assert searched("a" * 5_000) == "a" * MAX_CHARACTERS
