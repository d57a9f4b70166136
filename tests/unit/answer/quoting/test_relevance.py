"""How likely sentences answer."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from docrag.answer.quoting.relevance import ScoredSentence, score_sentences
from docrag.api import Citation
from tests.unit.answer.sources import source

RULES = (
    "Forkliftler her ay bakımdan geçer. Bakımı Bakım Birimi yapar. Yıllık kontrolü yetkili bir "
    "mühendis yapar. Raporlar beş yıl saklanır. Rampada park edilmez."
)


def best(question: str, *texts: str) -> ScoredSentence:
    """The most likely sentence of these sources."""
    sources = [source(n, text) for n, text in enumerate(texts, start=1)]
    return max(score_sentences(question, sources), key=lambda one: one.probability)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Raporlar kaç yıl saklanır?", "Raporlar beş yıl saklanır."),
        ("RAPORLAR KAÇ YIL SAKLANIR?", "Raporlar beş yıl saklanır."),
        ("raporlar kac yil saklanir", "Raporlar beş yıl saklanır."),
        ("Yıllık kontrolü kim yapar?", "Yıllık kontrolü yetkili bir mühendis yapar."),
        ("Rampaya park edebilir miyim?", "Rampada park edilmez."),
    ],
)
def test_sentence_that_answers_is_the_most_likely(question: str, answer: str) -> None:
    assert best(question, RULES).text == answer


def test_decomposed_question_scores_alike() -> None:
    plain = best("Ücretler ne zaman ödenir?", "Ücretler ayın beşinde ödenir. Kayıt tutulur.")
    apart = best(
        "U\u0308cretler ne zaman o\u0308denir?", "Ücretler ayın beşinde ödenir. Kayıt tutulur."
    )
    assert plain == apart


def test_row_for_the_amount_beats_the_others() -> None:
    table = "| Kıdem | İzin |\n|---|---|\n| 1-5 yıl | 14 gün |\n| 6-14 yıl | 20 gün |"
    assert best("8 yıl çalışanın izni kaç gün?", table).text == "Kıdem: 6-14 yıl; İzin: 20 gün"


def test_found_passage_beats_its_neighbour() -> None:
    one, other = (
        source(1, "Kurul üç ayda bir toplanır."),
        source(2, "Kurul altı ayda bir toplanır."),
    )
    beside = replace(other, neighbours=frozenset({other.chunks[0].chunk_id}))
    first, second = score_sentences("Kurul kaç ayda bir toplanır?", [one, beside])
    assert first.probability > second.probability


def test_sentences_come_in_reading_order() -> None:
    scored = score_sentences("Bakım?", [source(1, RULES), source(2, "Bakım yapılır.")])
    assert [(one.citation, one.position) for one in scored] == [
        *((1, place) for place in range(5)), (2, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("question", ["", "?!", "ne", "x " * 5_000])
@pytest.mark.parametrize("context", [[], [source(1, "")], [source(1, RULES)]])
def test_odd_questions_have_probabilities(question: str, context: list[Citation]) -> None:
    scored = score_sentences(question, context)
    assert all(0 <= one.probability <= 1 for one in scored)


def test_a_question_takes_milliseconds() -> None:
    sources = [source(n, f"{RULES} Ek {n}. " * 4) for n in range(1, 7)]
    started = time.process_time()
    for _ in range(5):
        score_sentences("Forklift raporları kaç yıl saklanır?", sources)
    assert (time.process_time() - started) / 5 < 0.1
