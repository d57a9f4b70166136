"""The bars that answers are held to, each a figure of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import click

from eval.answer_sets import ANSWERABLE, REMOVED, UNANSWERABLE
from eval.bars import Bar
from eval.report import Row

#: Data that the bars are for.
ARTICLES, LAW = "tquad", "law6331"
#: By kind of passages: most of the answerable questions that may be refused, least of the others
#: that must be. The evidence gate is set by them (``eval/gate.py``).
REFUSALS: Final = {"text": (0.08, 0.80), "law": (0.20, 1.0)}


def _cell(dataset: str, group: str, name: str) -> Callable[[Sequence[Row]], float]:
    """A figure of one row."""

    def figure(rows: Sequence[Row]) -> float:
        row = next(r for r in rows if (r["dataset"], r["group"]) == (dataset, group))
        return float(row[name])

    return figure


BARS = (
    Bar(name="answer retrieved: correct", figure=_cell(ARTICLES, "retrieved", "correct"),
        bar=0.84, moonshot=0.90),
    Bar(name="answer retrieved: refused", figure=_cell(ARTICLES, "retrieved", "refused"),
        bar=REFUSALS["text"][0], moonshot=0.05, at_most=True),
    Bar(name="answer retrieved: wrong", figure=_cell(ARTICLES, "retrieved", "wrong"),
        bar=0.08, moonshot=0.05, at_most=True),
    Bar(name="own article removed: refused", figure=_cell(ARTICLES, REMOVED, "refused"),
        bar=REFUSALS["text"][1], moonshot=0.90),
    Bar(name="own article removed: wrong", figure=_cell(ARTICLES, REMOVED, "wrong"),
        bar=0.10, moonshot=0.05, at_most=True),
    Bar(name="law, answerable: right page cited", figure=_cell(LAW, ANSWERABLE, "page_cited"),
        bar=1 - REFUSALS["law"][0], moonshot=1.0),
    Bar(name="law, unanswerable: declined", figure=_cell(LAW, UNANSWERABLE, "refused"),
        bar=REFUSALS["law"][1], moonshot=1.0),
)  # fmt: skip


def tell(rows: Sequence[Row]) -> bool:
    """Print every bar with its figure; whether all are held."""
    return all([_told(bar, rows) for bar in BARS])


def _told(bar: Bar, rows: Sequence[Row]) -> bool:
    figure = bar.figure(rows)
    held = bar.holds(figure, bar.bar)
    word, moon = "held" if held else "MISSED", bar.holds(figure, bar.moonshot)
    click.echo(
        f"bar {word}: {bar.name} {figure:.3f} (bar {bar.bar:g}, moonshot {bar.moonshot:g}"
        f"{' reached' if moon else ''})"
    )
    return held
