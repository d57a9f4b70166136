"""Synthetic text: the same for a seed, and as common and rare as Turkish."""

from __future__ import annotations

import numpy as np
import pytest

from docrag.api import f5
from eval.zipf import LENGTH, LONGEST, SHORTEST, ZipfText, make_text


@pytest.fixture(scope="module")
def made() -> ZipfText:
    return make_text(2_000, per_document=10)


def test_text_is_the_same_for_a_seed(made: ZipfText) -> None:
    again = make_text(2_000, per_document=10)
    assert np.array_equal(again.chunks, made.chunks)
    assert again.questions(3) == made.questions(3)


def test_common_terms_are_as_common_as_in_turkish(made: ZipfText) -> None:
    chunks = [set(f5(made.spelled(chunk))) for chunk in made.chunks[:500]]
    counts = [sum(term in chunk for chunk in chunks) for term in set.union(*chunks)]
    shares = sorted(counts, reverse=True)
    assert shares[0] / 500 > 0.9
    assert 0.15 < shares[30] / 500 < 0.35
    assert 0.05 < shares[100] / 500 < 0.15


def test_text_has_as_many_words_as_it_says(made: ZipfText) -> None:
    assert len(made.spelled(made.chunks[0]).split()) == LENGTH
    assert len(made.titles) == 200


def test_words_have_turkish_letters(made: ZipfText) -> None:
    letters = set("".join(made.spelled(chunk) for chunk in made.chunks[:100]))
    assert set("çğışöü") <= letters


def test_question_asks_for_words_of_a_chunk(made: ZipfText) -> None:
    chunks = [set(made.spelled(chunk).split()) for chunk in made.chunks]
    for question in made.questions(5):
        words = question.rstrip("?").split()
        assert SHORTEST <= len(words) <= LONGEST
        assert any(set(words) <= chunk for chunk in chunks)
