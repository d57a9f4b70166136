from __future__ import annotations

import unicodedata

import pytest

from docrag.answer.templates import fallback
from eval.phrases import declines, holds, holds_all, recall, says, tokens


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Eğitim İstanbul'da verilir [1].", "istanbul"),
        ("EĞİTİM IĞDIR’DA VERİLİR", "ığdır"),
        (unicodedata.normalize("NFD", "Eğitim İzmir'de"), "İzmir"),
        ("kazadan sonraki üç iş günü içinde", "Üç iş gün"),
        ("1924'te doğdu", "1924"),
        ("12.03.2019 tarihinde", "2019"),
        ("nüfusu 1.500 kişidir", "1500"),
        ("oran %3,5'tir", "3,5"),
        ("19.yüzyılda", "19. yüzyıl"),
        ("Kâzım Karabekir’in", "kazım karabekir"),
    ],
)
def test_phrase_stands_with_a_turkish_ending(text: str, phrase: str) -> None:
    assert holds(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("19240 kişi", "1924"),
        ("1924te", "1924"),
        ("1.500 kişi", "500"),
        ("oran 3,5", "3"),
        ("oran 3,5", "5"),
        ("demokrasi", "okra"),
        ("üç iki gün", "üç gün"),
        ("bkz. [4]", "4"),
        ("eksik", ""),
        ("", "gün"),
    ],
)
def test_phrase_is_refused(text: str, phrase: str) -> None:
    assert not holds(text, phrase)


def test_tokens_keep_numbers_whole() -> None:
    assert tokens("1.234.567,5 TL; 12/03 [2][3, 4] Işık") == ["1234567,5", "tl", "12", "03", "isik"]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("çalışanların temsilcisi", 2 / 3),
        ("çalışan", 1 / 3),
        ("temsilciler 4 tane, çalışanlara göre", 1.0),
        ("", 0.0),
    ],
)
def test_recall_counts_words_by_five_letters(text: str, share: float) -> None:
    assert recall(text, "4 çalışan temsilcisi") == pytest.approx(share)


def test_recall_takes_a_number_only_whole() -> None:
    assert recall("123456", "123457") == 0
    assert recall("anything", "") == 0


def test_says_takes_half_of_the_words() -> None:
    assert says("Ali geldi", "Ali Veli")
    assert not says("Ali geldi", "Ali Veli Deli")


def test_holds_all_wants_one_alternative_of_each() -> None:
    expected = ["elli|50", "altı ay|6 ay"]
    assert holds_all("50 çalışan, altı aydan fazla", expected)
    assert not holds_all("500 çalışan, altı aydan fazla", expected)
    assert not holds_all("elli çalışan", expected)


@pytest.mark.parametrize("language", ["tr", "en"])
def test_fallback_declines_with_passages_behind_it(language: str) -> None:
    sentence = fallback(language)
    assert declines(sentence)
    assert declines(f"{sentence}\n\nEn yakın: [1] Madde 4", is_cited=True)
    assert declines(
        f"Tüplerden söz edilmiyor. {sentence.upper() if language == 'en' else sentence}"
    )


def test_cited_answer_with_a_reservation_does_not_decline() -> None:
    text = f"Tüpler altı ayda bir kontrol edilir [1]. {fallback('tr')}"
    assert not declines(text, is_cited=True)
    assert not declines("Bu belgelerde bulunuyor.")
