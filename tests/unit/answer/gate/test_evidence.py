"""The evidence gate."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from docrag.answer.gate.evidence import ENOUGH, content_words, uncovered, weigh
from docrag.api import Abstention
from tests.unit.answer.sources import source

LAW = "İşveren, risk değerlendirmesi yapmak veya yaptırmakla yükümlüdür."
LEAVE = "Yıllık izin süresi on dört gündür; işveren izin defteri tutar."
QUESTION = "İşveren risk değerlendirmesi yapmakla yükümlü müdür?"


def test_content_words_leave_out_how_it_is_asked() -> None:
    assert content_words(QUESTION) == ("isveren", "risk", "degerlendirmesi", "yukumlu")


@pytest.mark.parametrize("question", ["IŞIK", "ışık", "isik", "I\u015fIK"])
def test_casing_and_ascii_do_not_matter(question: str) -> None:
    assert uncovered(content_words(question), "Işıklar yanar.") == ()


def test_short_word_matches_its_inflection() -> None:
    assert uncovered(("izin",), "İzinler kullanılır.") == ()
    assert uncovered(("is",), "Isı ölçülür.") == ()


def test_covering_passage_is_enough() -> None:
    verdict = weigh(QUESTION, [source(1, LAW)])
    assert (verdict.is_enough, verdict.reason, verdict.coverage) == (True, "", 1.0)
    assert verdict.evidence > ENOUGH
    assert verdict.abstention() is None


def test_foreign_passage_is_weak_and_says_what_is_missing() -> None:
    verdict = weigh(QUESTION, [source(1, LEAVE)])
    assert (verdict.is_enough, verdict.reason, verdict.coverage) == (False, "weak_evidence", 0.25)
    assert verdict.missing == ("risk", "değerlendirmesi", "yükümlü")
    assert verdict.evidence < ENOUGH


def test_abstention_tells_what_the_verdict_knows() -> None:
    context = [source(1, LEAVE)]
    verdict = weigh(QUESTION, context)
    assert verdict.abstention(context) == Abstention(
        reason="weak_evidence",
        coverage=0.25,
        missing=verdict.missing,
        evidence=verdict.evidence,
        nearest=tuple(context),
    )


def test_no_passages_is_its_own_reason() -> None:
    verdict = weigh(QUESTION, [], least=0.0)
    assert (verdict.is_enough, verdict.reason, verdict.evidence) == (False, "no_passages", 0.0)


@pytest.mark.parametrize("question", ["Ne kadar?", "1", "🙂", "' OR 1=1 --", "[1] [2]", ""])
def test_question_without_content_words_is_declined(question: str) -> None:
    verdict = weigh(question, [source(1, LEAVE)], least=0.0)
    assert (verdict.is_enough, verdict.reason, verdict.missing) == (False, "weak_evidence", ())


@pytest.mark.parametrize(("least", "enough"), [(0.0, True), (1.0, False)])
def test_least_evidence_decides(least: float, enough: bool) -> None:
    assert weigh(QUESTION, [source(1, LEAVE)], least=least).is_enough is enough


@pytest.mark.parametrize(
    "question",
    [
        "İŞVEREN RİSK DEĞERLENDİRMESİ YAPMAKLA YÜKÜMLÜ MÜDÜR?",
        "isveren risk degerlendirmesi yapmakla yukumlu mudur",
        unicodedata.normalize("NFD", QUESTION),
        "İşveren risk değrlendirmesi yapmakla yükümlü müdür?",
    ],
)
def test_spelling_does_not_matter(question: str) -> None:
    assert weigh(question, [source(1, LAW)]).is_enough


def test_everyday_word_stands_for_the_one_of_documents() -> None:
    context = [source(1, "Fazla çalışma ücreti işçiye yüzde elli artırılarak ödenir.")]
    verdict = weigh("Patron mesai parasını personele öder mi?", context)
    assert "parasini" not in verdict.missing and "personele" not in verdict.missing


def test_missing_name_weighs_more_than_a_missing_word() -> None:
    context = [source(1, "Genel müdür Ayşe Kaya 2019 yılında Ankara şubesini açmıştır.")]
    named = weigh("Ankara şubesini Mehmet Demir hangi yılda açtı?", context)
    other = weigh("Ankara şubesini müdür sevinçle hangi yılda açtı?", context)
    assert named.evidence < other.evidence


def test_english_question_is_weighed_by_its_own_words() -> None:
    verdict = weigh("How many days of annual leave are there?", [source(1, LEAVE)])
    assert verdict.missing == ("days", "annual", "leave")
    assert not verdict.is_enough


def test_one_word_question_is_enough_where_it_stands() -> None:
    assert weigh("izin", [source(1, LEAVE)]).is_enough
    assert not weigh("vinç", [source(1, LEAVE)]).is_enough


def test_pasted_text_is_weighed_by_its_end() -> None:
    pasted = "Sayın ilgili, aşağıdaki metni okuyunuz. " * 1_250 + QUESTION
    assert weigh(pasted, [source(1, LAW)]) == weigh(pasted[-2_000:], [source(1, LAW)])


@pytest.mark.parametrize("text", ["", "…", "| | |"])
def test_passage_without_words_is_no_evidence(text: str) -> None:
    assert not weigh(QUESTION, [replace(source(1, text), title="")]).is_enough


def test_word_that_asks_how_often_is_not_missed() -> None:
    text = "Yangın tüpleri altı ayda bir kontrol edilir. Kontrolü bakım birimi yapar."
    verdict = weigh("Yangın tüpleri ne sıklıkla kontrol edilir?", [source(1, text)])
    assert (verdict.is_enough, verdict.missing) == (True, ())


LEAVE_ROWS = "Kıdem: 15 yıl ve daha fazla; Yıllık izin: 27 iş günü, çalışana yıllık izin verilir."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Gaz kokusu alırsam kimi ararım?", "Gaz kokusu duyulursa güvenlik 1122'den aranır."),
        ("Yangın çıkarsa kimi arayacağım?", "Yangın çıktığında 1122 numara aranır."),
        ("Siren çalınca ne yapacağız?", "Siren çaldığında bina tahliye edilir."),
        ("Elektrik yangınına su sıkabilir miyim?", "Elektrik yangınlarına su sıkılmaz."),
        ("İzni bölebilir miyim?", "Yıllık izin bölümlere ayrılabilir."),
        ("F-03'ün kapasitesi nedir?", "F-03 için kapasite 3.500 kg'dır."),
        ("20 yıllık çalışanın yıllık izni", LEAVE_ROWS),
        ("F-03 kaç kilo kaldırır?", "F-03 forklift 3.500 kg kaldırır."),
    ],
)
def test_forms_of_who_asks_are_no_missing_words(question: str, text: str) -> None:
    verdict = weigh(question, [source(1, text)])
    assert (verdict.is_enough, verdict.missing) == (True, ())


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("İzin formu FR-İK-013 nerede?", "İzin formu FR-İK-012 portaldadır.", "FR-İK-013"),
        ("F-04 ne kadar yük kaldırır?", "F-03 3.500 kg yük kaldırır.", "F-04"),
        (
            "C binasındakiler nerede toplanır?",
            "A binasındakiler kuzeyde toplanır.",
            "C binasındakiler",
        ),
    ],
)
def test_code_that_no_passage_has_is_declined(question: str, text: str, missing: str) -> None:
    verdict = weigh(question, [source(1, text)])
    assert (verdict.is_enough, verdict.missing) == (False, (missing,))
    assert weigh(question, [source(1, text)], least=0.0).is_enough


def test_unit_that_no_sentence_counts_speaks_against_an_answer() -> None:
    text = "Forklift yalnızca yetki kartı olan operatörce kullanılabilir."
    asked = "Forklift kaç yaşında kullanılabilir?"
    without = weigh(asked, [source(1, text)])
    told = weigh(asked, [source(1, f"{text} Forklift 18 yaşından önce kullanılamaz.")])
    assert (without.is_enough, told.is_enough) == (False, True)
    assert without.missing == ("yaşında",)


def test_words_are_missing_as_they_were_written() -> None:
    verdict = weigh("Mars'ta yaşar harcı?", [source(1, LEAVE)])
    assert verdict.missing == ("Mars", "yaşar", "harcı")
