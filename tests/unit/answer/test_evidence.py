"""The evidence gate."""

from __future__ import annotations

import pytest

from docrag.answer.evidence import content_words, uncovered, weigh
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


def test_covering_passage_passes() -> None:
    assert weigh(QUESTION, [source(1, LAW)], least=1.0) is None


def test_foreign_passage_is_weak_and_says_what_is_missing() -> None:
    abstention = weigh(QUESTION, [source(1, LEAVE)], least=0.6)
    assert abstention is not None
    assert (abstention.reason, abstention.coverage) == ("weak_evidence", 0.25)
    assert abstention.missing == ("risk", "degerlendirmesi", "yukumlu")


def test_no_passages_is_its_own_reason() -> None:
    abstention = weigh(QUESTION, [], least=0.0)
    assert abstention is not None
    assert abstention.reason == "no_passages"


@pytest.mark.parametrize("question", ["Ne kadar?", "1", "🙂", "' OR 1=1 --", "[1] [2]"])
def test_question_without_content_words_is_declined(question: str) -> None:
    abstention = weigh(question, [source(1, LEAVE)], least=0.0)
    assert abstention is not None
    assert (abstention.reason, abstention.missing) == ("weak_evidence", ())
