"""Opposites, neighbours' values and other ways to say the same, by invented rules of a site."""

from __future__ import annotations

import pytest

from docrag.answer.verification.finding import Finding
from docrag.answer.verification.verifier import Verifier
from tests.unit.answer.sources import source

SITE = (
    "Ziyaretçiler bu kuralların kapsamı dışındadır. Taşeronlara bu kurallar uygulanmaz. "
    "Merdivende telefon tutulmaz; tırabzan kullanılır. "
    "Bidonlar arasındaki mesafe 40 metreyi geçemez. "
    "Atık 8 litreden azsa görevli siler. Kapıların önünde en az 3 metre boşluk bırakılır. "
    "Avluda hız sınırı 20 km/s, depoda 9 km/s'dir. "
    "K atölyesinde çalışanlar doğu bahçesinde, L atölyesinde çalışanlar spor salonunda toplanır. "
    "Dilekçe 12 takvim günü önce verilir. Kurul ayda bir toplanır. "
    "Kayıt dönemi 10 Nisan günü biter. Kutu 4.500 kg taşır. Kesinti ücretin yüzde 20'sidir. "
    "Gece nöbeti 21 gün sürer.\n"
    "(2) Eğitim ağır işlerde yılda bir, bekçilerde iki yılda bir yenilenir."
)
TABLE = (
    "| Bölüm | Donanım | Süre |\n|---|---|---|\n"
    "| Dökümhane | Alın siperi | 18 ay |\n| Kesimhane | Zırhlı önlük | 30 ay |\n"
    "| Laboratuvar | Koruma camı | 6 ay |\n"
)


def _judged(sentence: str, text: str = SITE) -> Finding:
    return Verifier([source(1, text)]).judge(sentence, {1})


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Ziyaretçiler bu kuralların kapsamındadır.", "negation"),
        ("Taşeronlar bu kurallara tabidir.", "negation"),
        ("Merdivende telefon kullanılabilir.", "negation"),
        ("Bidonlar arasındaki mesafe 40 metreden fazla olmalıdır.", "negation"),
        ("Atık 8 litreden fazlaysa görevli siler.", "negation"),
        ("Depoda hız sınırı 20 km/s'dir.", "number"),
        ("K atölyesinde çalışanlar spor salonunda toplanır.", "name"),
        ("Dilekçe 12 iş günü önce verilir.", "unit"),
        ("Kurul yılda bir toplanır.", "unit"),
        ("Eğitim ağır işlerde iki yılda bir yenilenir.", "number"),
    ],
)
def test_false_sentence_is_found(sentence: str, reason: str) -> None:
    found = _judged(sentence)
    assert not found.supported
    assert reason in found.reasons


@pytest.mark.parametrize(
    "sentence",
    [
        "Kapıların önündeki boşluk 3 metreden az olamaz.",
        "Bidonlar arasındaki mesafe en fazla 40 metredir.",
        "Avluda hız sınırı 20 km/s'dir.",
        "K atölyesinde çalışanlar doğu bahçesinde toplanır.",
        "Kayıt dönemi 10.04'te biter.",
        "Kutu 4,5 ton taşır.",
        "Kesinti ücretin beşte biridir.",
        "Gece nöbeti üç hafta sürer.",
        "Eğitim bekçilerde iki yılda bir yenilenir.",
        "The distance between the drums is at most 40 metres.",
    ],
)
def test_true_sentence_in_other_words_is_supported(sentence: str) -> None:
    assert _judged(sentence).reasons == ()


def test_value_of_another_language_must_be_there() -> None:
    assert not _judged("The distance between the drums is at most 45 metres.").supported


@pytest.mark.parametrize(
    ("sentence", "supported"),
    [
        ("Dökümhanede alın siperi 18 ayda bir değiştirilir.", True),
        ("Dökümhanede alın siperi 30 ayda bir değiştirilir.", False),
        ("Kesimhanede koruma camı kullanılır.", False),
    ],
)
def test_row_of_a_table_stays_together(sentence: str, supported: bool) -> None:
    assert _judged(sentence, TABLE).supported is supported


def test_paragraph_of_an_article_is_no_amount() -> None:
    assert _judged("Zil çalınır (m. 6/3).", "MADDE 6 – (3) Zil çalınır.").supported


@pytest.mark.parametrize(
    "text",
    [
        "Dilekçe 30 gün önce verilir, değil mi?",
        "Biliyor musunuz, dilekçe 30 gün önce verilir, değil mi?",
    ],
)
def test_claim_that_asks_to_agree_is_judged(text: str) -> None:
    found = _judged(text)
    assert (found.is_claim, found.supported) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "Umarım yardımcı olur!",
        "Üzgünüm, bulamadım.",
        "Bu konuda bilgi yok.",
        "Belgelerde bu bilgi yer almıyor.",
        "Dilekçe ne zaman verilir?",
    ],
)
def test_courtesy_and_finding_nothing_is_no_claim(text: str) -> None:
    assert not _judged(text).is_claim
