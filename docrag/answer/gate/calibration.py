"""How much evidence is enough over one's own documents, measured on one's own questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from docrag.answer.calibration import Expectation
from docrag.answer.context import number
from docrag.answer.gate.evidence import ENOUGH, weigh
from docrag.answer.naming import is_named
from docrag.answer.question import core
from docrag.api import ScoredChunk

#: Chunks among which there are some of other documents than the question's own.
DEEP: Final = 50
#: Most values that are tried, evenly from 0 to 1.
STEPS: Final = 100

#: Finds at most so many chunks for a question, best first.
Search: TypeAlias = Callable[[str, int], Sequence[ScoredChunk]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """How sure the gate was of each question, 0 to 1."""

    #: Of questions whose expected place was found.
    answerable: tuple[float, ...]
    #: Of questions that nothing answers, and of answerable ones without their own document.
    others: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What the gate does where so much evidence is enough."""

    least: float
    #: Share of the answerable questions that are declined, 0 to 1.
    needless: float
    #: Share of the other ones that are declined, 0 to 1.
    refused: float

    @property
    def worth(self) -> float:
        """Youden's index (1950, "Index for rating diagnostic tests", Cancer 3): 1 is perfect."""
        return self.refused - self.needless


def measured(
    questions: Iterable[Expectation],
    search: Search,
    *,
    top_k: int,
    progress: Callable[[], object] = lambda: None,
) -> Evidence:
    """The gate's judgement of every question, with its own document and without.

    A question whose place is not among the first chunks counts neither way, nor does one for which
    only its own document is found.

    :param top_k: chunks that an answer may use.
    :param progress: called after each question.
    """
    answerable: list[float] = []
    others: list[float] = []
    for item in questions:
        found = search(item.question, DEEP)
        first = found[:top_k]
        if not item.is_answerable:
            others.append(_judged(item.question, first))
        else:
            if any(item.met_by(hit) for hit in first):
                answerable.append(_judged(item.question, first))
            rest = [hit for hit in found if not _is_own(item, hit)][:top_k]
            if rest:
                others.append(_judged(item.question, rest))
        progress()
    return Evidence(answerable=tuple(answerable), others=tuple(others))


def point(evidence: Evidence, least: float = ENOUGH) -> Point:
    """What the gate does with this threshold; shares of nothing are 0."""
    return Point(
        least=least,
        needless=_below(evidence.answerable, least),
        refused=_below(evidence.others, least),
    )


def best_point(evidence: Evidence) -> Point:
    """The threshold that does best by both shares; the middle one of equals."""
    tried = [point(evidence, step / STEPS) for step in range(1, STEPS)]
    top = max(item.worth for item in tried)
    equal = [item for item in tried if item.worth >= top - 1e-9]
    return equal[len(equal) // 2]


def _judged(question: str, found: Sequence[ScoredChunk]) -> float:
    named = any(map(is_named, found))
    return weigh(core(question), number(found), found=found, named=named).evidence


def _is_own(item: Expectation, hit: ScoredChunk) -> bool:
    chunk = hit.chunk
    return item.names(chunk.document_id, chunk.title, chunk.filename)


def _below(values: Sequence[float], least: float) -> float:
    return sum(value < least for value in values) / len(values) if values else 0.0
