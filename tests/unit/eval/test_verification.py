"""Sentences for the verifier are rewritten and made wrong as they say."""

from __future__ import annotations

import random

import pytest

from eval.verification_corruptions import CORRUPTIONS
from eval.verification_scores import auroc, precision
from eval.verification_turkish import affirmed, denied, harmonised, retold, spelled
from eval.verification_variants import merged, rewritten

_SOURCE = "Okul 1933 yılında Halep'te 14 kişiyle açıldı. Sezgin 1924'te Bitlis'te doğdu."


@pytest.mark.parametrize(
    ("verb", "other"),
    [
        ("doğmuştur", "doğmamıştır"),
        ("yapılır", "yapılmaz"),
        ("yapılabilir", "yapılamaz"),
        ("geldi", "gelmedi"),
        ("bulunmaktadır", "bulunmamaktadır"),
        ("ödenecektir", "ödenmeyecektir"),
    ],
)
def test_verb_is_denied(verb: str, other: str) -> None:
    assert denied(verb) == other


@pytest.mark.parametrize(
    ("verb", "other"), [("alınamaz", "alınabilir"), ("gelmedi", "geldi"), ("masa", None)]
)
def test_verb_is_affirmed(verb: str, other: str | None) -> None:
    assert affirmed(verb) == other


@pytest.mark.parametrize(("verb", "other"), [("doğdu", "doğmuştur"), ("açılmıştır", "açıldı")])
def test_verb_is_retold(verb: str, other: str) -> None:
    assert retold(verb) == other


def test_endings_are_in_harmony() -> None:
    assert harmonised("Bitlis'", "DA") == "Bitlis'te"
    assert harmonised("Çorum'", "DA") == "Çorum'da"


@pytest.mark.parametrize(("value", "text"), [(15, "on beş"), (1923, "bin dokuz yüz yirmi üç")])
def test_number_is_spelled(value: int, text: str) -> None:
    assert spelled(value) == text


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Sezgin kaç yılında doğmuştur?", "1924", "Sezgin 1924 yılında doğmuştur."),
        ("Sezgin nerede doğmuştur ?", "Bitlis", "Sezgin Bitlis'te doğmuştur."),
        ("Okulu kuran kişi kimdir?", "Sezgin", "Okulu kuran kişi Sezgin'dir."),
        ("Neden gitti?", "hasta olduğu için", ""),
    ],
)
def test_question_and_answer_are_merged(question: str, answer: str, statement: str) -> None:
    assert merged(question, answer) == statement


def test_dates_and_numbers_are_rewritten() -> None:
    draw = random.Random(0)
    told = dict(rewritten("Okul 24 Ekim 1924'te 14 kişiyle açıldı.", "Okul", draw))
    assert told["dates"] == "Okul 24.10.1924'te 14 kişiyle açıldı."
    assert told["numbers"] == "Okul 24 Ekim 1924'te on dört kişiyle açıldı."
    assert told["forms"] == "Okul 24 Ekim 1924'te 14 kişiyle açılmıştır."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("number", "Okul 12 kişiyle açıldı."),
        ("date", "Okul 1930 yılında açıldı."),
        ("name", "Okulu o yıl Mehmet Bey açtı."),
        ("unit", "Eğitim 12 saat sürer."),
        ("negation", "Eğitim burada verilir."),
    ],
)
def test_sentence_is_made_wrong(kind: str, sentence: str) -> None:
    wrong = CORRUPTIONS[kind](sentence, _SOURCE, [_SOURCE], random.Random(1))
    assert wrong
    assert wrong != sentence


@pytest.mark.parametrize("kind", ["number", "date", "name", "unit"])
def test_sentence_without_a_value_stays(kind: str) -> None:
    assert CORRUPTIONS[kind]("Eğitim burada verilir.", "", ["x"], random.Random(0)) == ""


def test_auroc_counts_ties_half() -> None:
    assert auroc([1.0, 0.5], [0.5, 0.0]) == pytest.approx(0.875)


def test_precision_counts_false_alarms() -> None:
    assert precision(9, 1) == pytest.approx(0.9)
    assert precision(0, 0) == 1
