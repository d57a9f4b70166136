"""Which words of passages stand for words of a question."""

from __future__ import annotations

import numpy as np
import pytest

from docrag.answer.gate.weighing import MOST, AskedWords, Matches, names, tokens
from docrag.api import other_stems


def strength(asked: str, said: str) -> float:
    """How surely one word stands for another."""
    words = tokens(said)
    matches = Matches(AskedWords.of([asked], {}), words)
    return float(matches.strengths(words)[0])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("izin", "İzinler"),
        ("isveren", "İŞVERENLE"),
        ("degerlendirmesi", "değerlendirme"),
        ("2019", "2019'da"),
        ("kkd", "KKD"),
        ("isik", "I\u015fıklar"),
    ],
)
def test_inflected_word_is_the_same(asked: str, said: str) -> None:
    assert strength(asked, said) == 1.0


@pytest.mark.parametrize(
    ("asked", "said"),
    [("is", "işverenlerimiz"), ("2019", "2018"), ("2019", "20191"), ("vinc", "vida")],
)
def test_other_word_is_not(asked: str, said: str) -> None:
    assert strength(asked, said) == 0.0


@pytest.mark.parametrize(
    ("asked", "said"), [("degrlendirmesi", "değerlendirmesi"), ("battuta", "batuta")]
)
def test_misspelt_word_counts_less(asked: str, said: str) -> None:
    assert 0.5 < strength(asked, said) < 1.0


@pytest.mark.parametrize(
    ("asked", "said"),
    [("patron", "işveren"), ("maasim", "ücret"), ("mola", "dinlenmesi"), ("kkd", "koruyucu")],
)
def test_everyday_word_counts_less(asked: str, said: str) -> None:
    assert 0.5 < strength(asked, said) < 1.0


@pytest.mark.parametrize(
    ("asked", "said"), [("sikayet", "dava"), ("tutanak", "kaydı"), ("gece", "postada")]
)
def test_wider_word_counts_too_little_to_be_held(asked: str, said: str) -> None:
    assert 0.0 < strength(asked, said) < 0.6


def test_whole_word_is_no_beginning() -> None:
    assert strength("mola", "ara dinlenmesi") > 0.5
    assert strength("mola", "arasında") == 0.0


def test_words_that_only_hold_others_together_weigh_little() -> None:
    asked = AskedWords.of(["izin", "diye", "verilmeli"], {"izin": 1.0})
    assert asked.verbs == {"diye", "verilmeli"}
    assert asked.share(np.array([1.0, 0.0, 0.0])) > 0.8


def test_words_that_only_hold_others_together_weigh_where_nothing_else_is_asked() -> None:
    asked = AskedWords.of(["diye", "verilmeli"], {})
    assert list(asked.plain) == [1.0, 1.0]
    assert asked.verbs == frozenset()


def test_everyday_words_are_found_by_their_stem() -> None:
    assert "ucret" in other_stems("maaslarim")
    assert other_stems("masa") == ()


def test_share_is_by_weight() -> None:
    asked = AskedWords.of(["izin", "nadir"], {"izin": 1.0, "nadir": 3.0})
    assert asked.share(np.array([1.0, 0.0])) == 0.25
    assert AskedWords.of([], {}).share(np.zeros(0)) == 0.0


def test_words_that_nobody_counted_are_taken_for_rare() -> None:
    assert list(AskedWords.of(["izin", "yeni"], {"izin": 2.0}).weights) == [2.0, 2.0]


def test_words_that_tell_most_are_kept_in_order() -> None:
    said = [f"w{number}" for number in range(MOST + 5)]
    idf = {word: 1.0 + (place % 2) for place, word in enumerate(said)}
    kept = AskedWords.of(said, idf).words
    assert len(kept) == MOST
    assert list(kept) == sorted(kept, key=lambda word: int(word[1:]))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Ahmet Kuyaş'ın mesleği nedir?", {"ahmet", "kuyas"}),
        ("Şehrin nüfusu kaç?", set()),
        ("Dün Ankara'da ne oldu?", {"ankara"}),
        ("AHMET KUYAŞ NE İŞ YAPAR", set()),
        ("ahmet kuyaş ne iş yapar", set()),
    ],
)
def test_names_are_told_by_capitals(question: str, found: set[str]) -> None:
    passages = ["Bu şehrin nüfusu artar. Dün yağmur yağdı; tarihçi Ahmet geldi."]
    assert names(question, passages, tokens(passages[0])) == found
