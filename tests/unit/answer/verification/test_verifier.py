"""A sentence is supported by its source, or it is said what is not."""

from __future__ import annotations

import pytest

from docrag.answer.verification.finding import Finding
from docrag.answer.verification.verifier import Verifier
from docrag.api import Citation
from tests.unit.answer.sources import source

LIFE = (
    "Fuat Sezgin 24 Ekim 1924'te Bitlis'te doğdu. 1943 yılında İstanbul Üniversitesine girdi ve "
    "Helmut Ritter'in öğrencisi oldu. 30 Haziran 2018'de İstanbul'da öldü."
)
RULES = (
    "Çalışanlar yılda en az on beş saat eğitim alır. Eğitim süresi dört saatten kısa olamaz. "
    "Yazılı başvuru otuz (30) gün içinde yapılır. Belgesi olmayanlar ağır işlerde çalıştırılamaz. "
    "İşveren, 6331 sayılı Kanunun 10 uncu maddesine göre risk değerlendirmesi yapmak zorundadır. "
    "Baret takmak zorunlu değildir. Ceza, ücretin yüzde onunu geçemez."
)
CONTEXT: tuple[Citation, ...] = (source(1, LIFE), source(2, RULES))


def _judged(sentence: str, *cited: int, question: str = "") -> Finding:
    return Verifier(CONTEXT, question=question).judge(sentence, cited)


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("Fuat Sezgin 24 Ekim 1924'te Bitlis'te doğdu.", 1),
        ("Fuat Sezgin 1924 yılında Bitlis'te doğmuştur.", 1),
        ("Sezgin, 24.10.1924 tarihinde doğmuştur.", 1),
        ("Sezgin, Helmut Ritter'in öğrencisi olmuştur.", 1),
        ("Başvurular 30 gün içinde yazılı olarak yapılır.", 2),
        ("Eğitim 4 saatten kısa olamaz.", 2),
        ("Her çalışan yılda en az 15 saat eğitim alır.", 2),
        ("Belgesi olmayan kişiler ağır işlerde çalıştırılmaz.", 2),
        ("Ceza, ücretin en fazla %10'u olabilir.", 2),
        ("6331 sayılı Kanunun 10. maddesi uyarınca risk değerlendirmesi yapılmalıdır.", 2),
        ("BAŞVURU OTUZ GÜN İÇİNDE YAPILIR.", 2),
        ("Basvurular 30 gun icinde yapilir.", 2),
    ],
)
def test_restated_sentence_is_supported(sentence: str, cited: int) -> None:
    found = _judged(sentence, cited)
    assert (found.is_claim, found.supported, found.source, found.reasons) == (True, True, cited, ())


@pytest.mark.parametrize(
    ("sentence", "cited", "reason", "missing"),
    [
        ("Fuat Sezgin 1925 yılında Bitlis'te doğdu.", 1, "date", "1925"),
        ("Fuat Sezgin 1943 yılında Bitlis'te doğdu.", 1, "date", "1943"),
        ("Fuat Sezgin 24 Kasım 1924'te doğdu.", 1, "date", "24 Kasım 1924'te"),
        ("Fuat Sezgin 1924 yılında Halep'te doğdu.", 1, "name", "Halep"),
        ("Başvuru 45 gün içinde yapılır.", 2, "number", "45"),
        ("Eğitim süresi on beş saatten kısa olamaz.", 2, "number", "on beş"),
        ("Başvuru otuz ay içinde yapılır.", 2, "unit", "otuz"),
        (
            "6331 sayılı Kanunun 11. maddesine göre risk değerlendirmesi yapılır.",
            2,
            "article",
            "madde 11",
        ),
    ],
)
def test_wrong_value_is_named(sentence: str, cited: int, reason: str, missing: str) -> None:
    found = _judged(sentence, cited)
    assert not found.supported
    assert reason in found.reasons
    assert missing in found.missing


@pytest.mark.parametrize(
    "sentence",
    [
        "Yazılı başvuru 30 gün içinde yapılmaz.",
        "Belgesi olmayanlar ağır işlerde çalıştırılabilir.",
        "İşveren risk değerlendirmesi yapmak zorunda değildir.",
        "Baret takmak zorunludur.",
        "Çalışanlar yılda en çok on beş saat eğitim alır.",
    ],
)
def test_opposite_is_denied(sentence: str) -> None:
    found = _judged(sentence, 2)
    assert not found.supported
    assert "negation" in found.reasons


def test_invented_sentence_is_uncovered() -> None:
    found = _judged("Kahve makinesi her sabah temizlenip bardaklar raflara dizilir.", 1)
    assert (found.supported, found.source, found.reasons) == (False, None, ("coverage",))


def test_wrong_marker_names_the_right_source() -> None:
    found = _judged("Yazılı başvuru otuz gün içinde yapılır.", 1)
    assert (found.supported, found.source, found.reasons) == (False, 2, ("wrong_source",))


@pytest.mark.parametrize("cited", [(), (1, 2)])
def test_sentence_is_given_its_source(cited: tuple[int, ...]) -> None:
    found = _judged("Yazılı başvuru otuz gün içinde yapılır.", *cited)
    assert (found.supported, found.source) == (True, 2)


def test_unmarked_invention_gets_no_source() -> None:
    found = _judged("Başvuru 45 gün içinde yapılır.")
    assert (found.supported, found.source) == (False, None)


@pytest.mark.parametrize(
    "text",
    [
        "Merhaba!",
        "Bu bilgi belgelerde bulunmuyor.",
        "Buna göre:",
        "## Eğitim",
        "**Eğitim süresi**",
        "Başka bir sorunuz var mı?",
        "This information is not in the documents.",
        "",
        "…",
    ],
)
def test_what_says_nothing_is_no_claim(text: str) -> None:
    found = _judged(text, 1)
    assert (found.is_claim, found.supported, found.score) == (False, True, 1.0)


def test_two_facts_of_two_places_are_supported() -> None:
    found = _judged("Sezgin 1924'te Bitlis'te doğdu ve 30 Haziran 2018'de İstanbul'da öldü.", 1)
    assert found.supported


def test_facts_of_two_sources_are_supported() -> None:
    found = _judged("Sezgin 1924'te Bitlis'te doğdu; başvuru otuz gün içinde yapılır.", 1, 2)
    assert found.supported


def test_score_is_lower_with_a_wrong_value() -> None:
    right = _judged("Yazılı başvuru otuz gün içinde yapılır.", 2)
    wrong = _judged("Yazılı başvuru kırk gün içinde yapılır.", 2)
    assert 0 <= wrong.score < right.score <= 1


def test_words_of_the_question_need_no_support() -> None:
    question = "Ünlü bilim tarihçisi Fuat Sezgin hangi şehirde dünyaya gelmiştir?"
    sentence = "Ünlü bilim tarihçisi Fuat Sezgin Bitlis'te dünyaya gelmiştir."
    assert _judged(sentence, 1, question=question).supported


def test_value_of_the_question_needs_support() -> None:
    question = "Fuat Sezgin 1930'da mı doğdu?"
    assert not _judged("Fuat Sezgin 1930'da doğdu.", 1, question=question).supported


def test_list_signs_are_no_values() -> None:
    assert _judged("3. **Yazılı başvuru** otuz gün içinde yapılır.", 2).supported


def test_marker_that_was_not_offered_names_the_right_source() -> None:
    found = _judged("Yazılı başvuru otuz gün içinde yapılır.", 9)
    assert (found.supported, found.source, found.reasons) == (False, 2, ("wrong_source",))


def test_unmarked_clauses_get_a_source() -> None:
    found = _judged("Sezgin 1924'te Bitlis'te doğdu ve 30 Haziran 2018'de İstanbul'da öldü.")
    assert (found.supported, found.source) == (True, 1)


def test_no_sources_support_nothing() -> None:
    found = Verifier(()).judge("Başvuru otuz gün içinde yapılır.", ())
    assert (found.supported, found.source, found.score) == (False, None, 0.0)


def test_decomposed_sentence_is_supported() -> None:
    assert _judged("Yazılı bas\u0327vuru otuz gu\u0308n içinde yapılır.", 2).supported


@pytest.mark.parametrize(
    ("sentence", "supported"),
    [
        ("Employees must report accidents within three days.", True),
        ("Employees must report accidents within 3 days.", True),
        ("Employees must report accidents within 5 days.", False),
        ("Employees must not report accidents within three days.", False),
    ],
)
def test_english_is_judged(sentence: str, supported: bool) -> None:
    context = [
        source(1, "Employees must report accidents within three days. Visitors wear badges.")
    ]
    assert Verifier(context).judge(sentence, [1]).supported is supported
