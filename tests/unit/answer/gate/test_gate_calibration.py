"""How much evidence is enough, by one's own questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from docrag.answer.calibration import Expectation
from docrag.answer.gate.calibration import Evidence, best_point, measured, point
from docrag.api import ScoredChunk
from tests.unit.answer.sources import chunk

IZIN = "Yıllık izin süresi on dört gündür."
BARET = "Depoda baret takılır."


def found(question: str, k: int) -> Sequence[ScoredChunk]:
    """The document on leave, then the one on helmets."""
    hits = []
    for number, (name, text) in enumerate((("izin.pdf", IZIN), ("baret.pdf", BARET)), start=1):
        hit = chunk(number, text, document=name)
        hits.append(replace(hit, chunk=replace(hit.chunk, filename=name)))
    return hits[:k]


def test_own_document_is_left_out_for_the_others() -> None:
    asked = [Expectation(question="Yıllık izin süresi kaç gün?", document="izin.pdf")]
    evidence = measured(asked, found, top_k=5)
    assert evidence.answerable[0] > 0.5 > evidence.others[0]


def test_question_that_nothing_answers_is_one_of_the_others() -> None:
    asked = [Expectation(question="Dolar bugün kaç lira?", document="")]
    evidence = measured(asked, found, top_k=5)
    assert evidence.answerable == ()
    assert len(evidence.others) == 1


def test_place_that_is_not_found_does_not_count() -> None:
    asked = [Expectation(question="Yıllık izin kaç gün?", document="izin.pdf", page=9)]
    assert measured(asked, found, top_k=5).answerable == ()


@pytest.mark.parametrize(("least", "needless", "refused"), [(0.5, 0.5, 1.0), (0.3, 0.0, 0.5)])
def test_point_tells_both_shares(least: float, needless: float, refused: float) -> None:
    at = point(Evidence(answerable=(0.4, 0.9), others=(0.2, 0.35)), least)
    assert (at.needless, at.refused) == (needless, refused)


def test_best_point_lies_between_what_can_be_told_apart() -> None:
    best = best_point(Evidence(answerable=(0.4, 0.9), others=(0.1, 0.2)))
    assert 0.2 < best.least <= 0.4
    assert best.worth == 1.0


def test_no_questions_give_no_shares() -> None:
    at = point(Evidence(answerable=(), others=()))
    assert (at.needless, at.refused) == (0.0, 0.0)
