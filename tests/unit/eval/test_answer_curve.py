from __future__ import annotations

import pytest

from eval.answer_curve import curve, tell
from eval.answer_outcomes import Outcome


def one(group: str, word: str) -> Outcome:
    return Outcome(
        question="q",
        group=group,
        word=word,
        is_exact=False,
        is_cited=True,
        cites_gold=False,
        cites_page=False,
        has_failed=False,
    )


ASKED = [
    (one("retrieved", "correct"), 0.9),
    (one("retrieved", "wrong"), 0.2),
    (one("own_article_removed", "wrong"), 0.4),
    (one("own_article_removed", "refused"), 0.0),
]


def test_answers_below_a_threshold_are_refused() -> None:
    at = {row["threshold"]: row for row in curve(ASKED)}
    assert (at[0.0]["refused"], at[0.0]["false_refused"], at[0.0]["wrong"]) == (0.5, 0, 0.5)
    assert (at[0.3]["wrong_of_others"], at[0.3]["wrong"], at[0.3]["correct"]) == (0.5, 0, 0.5)
    assert (at[0.95]["refused"], at[0.95]["false_refused"]) == (1, 1)


def test_chosen_threshold_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    tell("tquad", curve(ASKED), 0.52)
    (marked,) = [line for line in capsys.readouterr().out.splitlines() if "chosen" in line]
    assert marked.startswith("0.5 ")


def test_nothing_asked_gives_zeros() -> None:
    assert {row["correct"] for row in curve([])} == {0.0}
