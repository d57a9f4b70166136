"""How likely the best sentence of each training question is, by a quoter that never saw it.

The evidence gate takes the likeliest sentence for a sign. The quoter's weights are learnt from the
same questions, so that what it says of them is too sure to fit a gate on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.relevance import log_odds, score_sentences
from eval import runs
from eval.answer_sets import AnswerCase

#: The run file.
NAME = "best-sentences"
#: Log odds of a question without sentences.
_NONE = -14.0


def write(
    cases: Sequence[AnswerCase],
    told: Sequence[tuple[int, Piece, Mapping[str, float]]],
    crossed: npt.NDArray[np.float64],
) -> None:
    """Write the log odds of each question's best sentence.

    :param told: number of the case, piece and features of every sentence, by case and in order.
    :param crossed: log odds of each by models that know nothing of its group.
    """
    runs.write(NAME, _lines(cases, told, crossed))


def read() -> dict[tuple[str, str], float]:
    """Log odds by question and group; empty where ``make eval-quoting`` has not been run."""
    try:
        lines = runs.read(NAME).values()
    except FileNotFoundError:
        return {}
    return {(line["id"], line["group"]): float(line["odds"]) for line in lines}


def _lines(
    cases: Sequence[AnswerCase],
    told: Sequence[tuple[int, Piece, Mapping[str, float]]],
    crossed: npt.NDArray[np.float64],
) -> Iterator[dict[str, object]]:
    best: dict[int, float] = {}
    beside: list[float] = []
    for number, (case, piece, row) in enumerate(told):
        if not number or case != told[number - 1][0]:
            scored = score_sentences(cases[case].text, cases[case].context)
            beside = [math.log(p / (1 - p)) for p in (one.probability for one in scored)]
            first = number
        if piece.is_body:
            # What no feature tells (a range that fits, a list that is asked for) stays as it is.
            odds = crossed[number] + beside[number - first] - log_odds(piece, row)
            best[case] = max(best.get(case, _NONE), float(odds))
    for case, odds in best.items():
        yield {
            "question": f"{cases[case].question} {cases[case].group}",
            "id": cases[case].question,
            "group": cases[case].group,
            "odds": round(odds, 4),
        }
