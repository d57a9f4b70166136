"""The bars that retrieval is held to, each a figure of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.report import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A figure and what it must reach."""

    name: str
    #: Taken from the table's rows.
    figure: Callable[[Sequence[Row]], float]
    bar: float
    moonshot: float
    #: True if the figure must not be above.
    at_most: bool = False

    def holds(self, figure: float, wanted: float) -> bool:
        """Whether a figure is as good as wanted; a rounding of the tenth digit is forgiven."""
        return figure <= wanted + 1e-9 if self.at_most else figure >= wanted - 1e-9


def _cell(
    name: str, *, retriever: str, questions: str = "plain", size: int = 1_000
) -> Callable[[Sequence[Row]], float]:
    """A figure of one row."""

    def figure(rows: Sequence[Row]) -> float:
        wanted = (retriever, questions, size)
        row = next(r for r in rows if (r["retriever"], r["questions"], r["chunk_size"]) == wanted)
        return float(row[name])

    return figure


def _loss(questions: str) -> Callable[[Sequence[Row]], float]:
    """How much Recall@5 of the hybrid is lost against plain questions."""
    plain = _cell("recall@5", retriever="hybrid")
    other = _cell("recall@5", retriever="hybrid", questions=questions)
    return lambda rows: plain(rows) - other(rows)


def _of_hybrid(name: str, questions: str = "plain") -> Callable[[Sequence[Row]], float]:
    return _cell(name, retriever="hybrid", questions=questions)


DEV_BARS = (
    Bar(name="lexical recall@5", figure=_cell("recall@5", retriever="lexical"),
        bar=0.970, moonshot=0.978),
    Bar(name="lexical mrr@10", figure=_cell("mrr@10", retriever="lexical"),
        bar=0.845, moonshot=0.855),
    Bar(name="hybrid recall@5", figure=_of_hybrid("recall@5"), bar=0.975, moonshot=0.985),
    Bar(name="hybrid mrr@10", figure=_of_hybrid("mrr@10"), bar=0.860, moonshot=0.880),
    Bar(name="hybrid recall@1", figure=_of_hybrid("recall@1"), bar=0.0, moonshot=0.82),
    Bar(name="recall@5 lost on ascii questions", figure=_loss("ascii"),
        bar=0.005, moonshot=0.0, at_most=True),
    Bar(name="recall@5 lost on upper-case questions", figure=_loss("upper"),
        bar=0.005, moonshot=0.0, at_most=True),
    Bar(name="typos: hybrid recall@5", figure=_of_hybrid("recall@5", "typos"),
        bar=0.96, moonshot=0.975),
    Bar(name="low overlap: hybrid recall@5", figure=_of_hybrid("recall@5", "low_overlap"),
        bar=0.88, moonshot=0.93),
    Bar(name="titles withheld: hybrid recall@5", figure=_of_hybrid("recall@5", "no_title"),
        bar=0.93, moonshot=0.955),
    Bar(name="recall@5 above the floor, lower bound, points",
        figure=_of_hybrid("delta_recall@5_low"), bar=7.5, moonshot=9.0),
    Bar(name="share of questions with nothing found by words",
        figure=_cell("empty", retriever="lexical"), bar=0.01, moonshot=0.0, at_most=True),
    Bar(name="law: right page among five", figure=_of_hybrid("recall@5", "law6331"),
        bar=13 / 15, moonshot=1.0),
)  # fmt: skip
