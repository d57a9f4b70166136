"""What every threshold of the evidence gate would do to answers, not to refusals alone.

Everything is answered once, with the gate open; an answer then counts as refused at a threshold
that its evidence does not reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import click
import numpy as np

from eval.answer_outcomes import CORRECT, REFUSED, RETRIEVED, WRONG, Outcome
from eval.answer_sets import ANSWERABLE, REMOVED, UNANSWERABLE
from eval.report import Row

#: Thresholds that are drawn.
STEPS: Final = tuple(round(0.05 * step, 2) for step in range(20))
#: Groups that can be answered, and those that cannot.
_CAN, _CANNOT = (RETRIEVED, ANSWERABLE), (REMOVED, UNANSWERABLE)


def curve(outcomes: Sequence[tuple[Outcome, float]]) -> list[Row]:
    """A row for each threshold, rising.

    :param outcomes: each with its evidence, 0 to 1, answered with the gate open.
    """
    return [_row(step, [_at(step, one, evidence) for one, evidence in outcomes]) for step in STEPS]


def tell(dataset: str, rows: Sequence[Row], chosen: float) -> None:
    """Print the rows; the last one that the chosen threshold is not below has a mark."""
    names = [name for name in rows[0] if name != "threshold"]
    click.echo(f"{dataset:<12}" + "".join(f"{name:>20}" for name in names))
    point = max((row["threshold"] for row in rows if row["threshold"] <= chosen), default=None)
    for row in rows:
        mark = " <- chosen" if row["threshold"] == point else ""
        figures = "".join(f"{row[name]:>20.3f}" for name in names)
        click.echo(f"{row['threshold']:<12}{figures}{mark}")


def _at(step: float, one: Outcome, evidence: float) -> Outcome:
    return replace(one, word=REFUSED) if evidence < step else one


def _row(step: float, outcomes: Sequence[Outcome]) -> Row:
    return {
        "threshold": step,
        "refused": _share(outcomes, _CANNOT, REFUSED),
        "wrong_of_others": _share(outcomes, _CANNOT, WRONG),
        "false_refused": _share(outcomes, _CAN, REFUSED),
        "correct": _share(outcomes, _CAN, CORRECT),
        "wrong": _share(outcomes, _CAN, WRONG),
    }


def _share(outcomes: Sequence[Outcome], groups: Sequence[str], word: str) -> float:
    """Share of the questions of these groups with an outcome; 0 of none."""
    own = [one.word == word for one in outcomes if one.group in groups]
    return round(float(np.mean(own)), 4) if own else 0.0
