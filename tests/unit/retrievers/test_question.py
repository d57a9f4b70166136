from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.api import c4, f5
from docrag.retrievers.question import MAX_CHARACTERS, searched, without_asking


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


@pytest.mark.parametrize("written", [str, str.upper], ids=["small", "capitals"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Ali hangi yılda doğdu?", "ali yılda doğdu"),
        ("Niçin, nasıl ve nerededir rapor?", "ve rapor"),
        ("KAÇ gün var mı?", "gün var"),
        ("nedeniyle neredeyse kimse kaçtı", "nedeniyle kimse kaçtı"),
    ],
)
def test_words_that_only_ask_are_left_out(
    question: str, left: str, form: str, written: type[str]
) -> None:
    if written is not str:
        question = question.replace("i", "İ").upper()
    asked = without_asking(unicodedata.normalize(form, question))  # type: ignore[arg-type]  # of two
    assert asked == left


@pytest.mark.parametrize("question", ["hangi?", "Kim nerede", "", "?"])
def test_question_that_only_asks_stays_whole(question: str) -> None:
    assert f5(without_asking(question)) == f5(question)


@given(question=st.text(max_size=30) | st.text("aıİiçÇş' hangkim\u0327\u0307", max_size=30))
def test_what_is_left_has_no_other_grams(question: str) -> None:
    """Their statistics are asked for with those of the whole question."""
    assert set(c4(without_asking(question))) <= set(c4(question))
