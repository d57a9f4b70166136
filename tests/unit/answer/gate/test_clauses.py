"""What a source holds of a question's clauses."""

from __future__ import annotations

import numpy as np
import pytest

from docrag.answer.gate.clauses import cover_clauses
from docrag.answer.gate.weighing import AskedWords
from docrag.answer.subject import sought_words

#: A clause that tells, and one that asks.
LONG = "Forklift rampada kaydı, iş kazası bildirimi gecikirse cezası?"


def cover(question: str, *held: str) -> float:
    """What one source with these words holds of a question."""
    asked = AskedWords.of(sought_words(question), {})
    source = [[float(word in held) for word in asked.words]]
    return cover_clauses(question, asked, np.array(source))


def test_clause_that_asks_lifts_what_is_held() -> None:
    held = sought_words("iş kazası bildirimi gecikirse cezası")
    share = len(held) / len(sought_words(LONG))
    assert cover(LONG, *held) == pytest.approx((share + 1) / 2)


@pytest.mark.parametrize(
    "question",
    ["Kaza bildirimi gecikirse cezası?", "Forklift: kaza bildirimi cezası?"],
    ids=["one clause", "a clause of one word"],
)
def test_question_of_one_clause_counts_whole(question: str) -> None:
    assert cover(question, "kaza") == pytest.approx(1 / 4)


def test_clause_without_held_words_counts_nothing() -> None:
    assert cover(LONG) == 0.0
