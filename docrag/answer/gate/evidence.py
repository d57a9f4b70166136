"""The evidence gate: do the permitted passages hold what the question is about?

It is decided before a model is asked, from signs that a person can check
(:mod:`docrag.answer.gate.signs`), by weights that were fitted on questions with a known answer
(:mod:`docrag.answer.gate.model`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from docrag.answer.gate.designations import absent
from docrag.answer.gate.model import ENOUGH as ENOUGH
from docrag.answer.gate.model import Kind, probability
from docrag.answer.gate.signs import Signs, signs
from docrag.answer.naming import bears_name, speaks_of
from docrag.answer.subject import STOP_WORDS as STOP_WORDS
from docrag.answer.subject import as_written, sought_words
from docrag.answer.subject import content_words as content_words
from docrag.answer.subject import uncovered as uncovered
from docrag.answer.subject import words_beside as words_beside
from docrag.api import (
    Abstention,
    Citation,
    Naming,
    ScoredChunk,
    ending,
    fold,
    named_articles,
    words,
)

#: Characters of a question that are weighed, the last ones.
LONGEST: Final = 2_000
#: Share of the words beside a named article that its text must hold to be :data:`ENOUGH`.
_BESIDE: Final = 0.6
#: Where two sentences in a row hold this share of at least so many words that tell something,
#: evidence is at least so much. Of TQuAD's training part 372 such questions are answered by what
#: was found; of 144 whose article was taken away, 9 are not told by another one. Of laws 81 are
#: answered and 2 not, however short.
_WHOLE, _HELD = 0.9, 0.6
_SEVERAL: Final[Mapping[Kind, float]] = {"text": 3.0, "law": 1.1, "small": 1.1}
#: Most evidence where no passage has a code of the question: they speak of something else.
_OTHER: Final = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether passages answer a question."""

    #: How sure it is that they do, 0 to 1.
    evidence: float
    #: Share of the question's content words that the passages together hold, 0 to 1.
    coverage: float
    #: Content words, codes and names that no passage holds, as the question writes them.
    missing: tuple[str, ...]
    is_enough: bool
    #: Machine word as in :class:`docrag.api.Abstention`; empty if it is enough.
    reason: str

    def abstention(self, nearest: Sequence[Citation] = ()) -> Abstention | None:
        """Why nothing is answered; ``None`` if it is enough.

        :param nearest: permitted sources that come nearest, best first.
        """
        if self.is_enough:
            return None
        return Abstention(
            reason=self.reason,
            coverage=self.coverage,
            missing=self.missing,
            evidence=self.evidence,
            nearest=tuple(nearest),
        )


def weigh(
    question: str,
    context: Sequence[Citation],
    *,
    found: Sequence[ScoredChunk] = (),
    least: float | None = None,
    named: bool = False,
) -> Verdict:
    """How sure it is that the passages answer the question, and whether that is enough.

    :param context: permitted sources that an answer could use, best first.
    :param found: the chunks behind them, best first, with the legs of the search; without them,
        only the words are weighed.
    :param least: evidence that is enough, 0 to 1; ``None`` takes the model's own. A question
        without content words asks for nothing that could be found, whatever is enough.
    :param named: True if an article that the question names is among the passages: its number and
        the words that only ask what it says are then no content words. One of a document that the
        question names but that is not there is no content word either, while the name is missing.
    """
    question = ending(question, LONGEST)
    verdict = _weighed(question, context, found, ENOUGH if least is None else least, named=named)
    return replace(verdict, missing=as_written(verdict.missing, question))


def _weighed(
    question: str,
    context: Sequence[Citation],
    found: Sequence[ScoredChunk],
    least: float,
    *,
    named: bool,
) -> Verdict:
    """As :func:`weigh`, with folded words."""
    naming = named_articles(question)
    if naming and not named and naming.document and context:
        return _of_absent(naming, context, least)
    naming = naming if named else None
    wanted = words_beside(naming) if naming else sought_words(question)
    if not context:
        return _verdict(0.0, 0.0, wanted, reason="no_passages")
    if not wanted:
        told = 1.0 if naming else 0.0
        return _verdict(told, told, (), reason="" if naming else "weak_evidence")
    seen = signs(question, wanted, context, found)
    evidence = _evidence(question, seen)
    if naming:
        evidence = max(evidence, _from_share(seen.coverage))
    without = () if naming else absent(question, context)
    evidence = min(evidence, _OTHER) if without else evidence
    reason = "" if evidence >= least else "weak_evidence"
    parts = {fold(word) for code in without for word in words(code)}
    missing = (*without, *(word for word in seen.missing if word not in parts))
    return _verdict(evidence, seen.coverage, missing, reason=reason)


def _evidence(question: str, seen: Signs) -> float:
    """The model's word, and enough where one place holds every word that is asked."""
    # Without Turkish letters, or in capitals, cosines are lower than the weights know them.
    is_written = not question.isascii() and question.upper() != question
    values = {k: v for k, v in seen.values.items() if k != "cosine" or is_written}
    evidence = probability(seen.kind, values)
    return max(evidence, _HELD) if is_whole(seen, seen.kind) else evidence


def is_whole(seen: Signs, kind: Kind) -> bool:
    """True if two sentences in a row hold every word that is asked, which always is enough.

    :param kind: of the passages, by which short questions count or not.
    """
    return seen.words >= _SEVERAL[kind] and seen.values["plain_lines"] >= _WHOLE


def _of_absent(naming: Naming, context: Sequence[Citation], least: float) -> Verdict:
    """As :func:`weigh`, of an article that no source is, in a document that is named.

    An article of the same number in another document is no evidence: the name is there only where
    a source speaks of that article of it, or is of the document and tells the number.
    """
    name = (*naming.document.words[-naming.document.least :], *naming.document.numbers)
    beside = [word for word in words_beside(naming) if word not in naming.document.words]
    there = any(_is_evidence(naming, item) for item in context)
    text = " ".join(f"{item.title} {item.text}" for item in context)
    missing = (*(() if there else name), *uncovered(beside, text))
    coverage = max(1 - len(missing) / len({*name, *beside}), 0.0)
    evidence = _from_share(coverage) if there or beside else 0.0
    reason = "" if evidence >= least else "weak_evidence"
    return _verdict(evidence, coverage, missing, reason=reason)


def _from_share(coverage: float) -> float:
    """Evidence of a share of words where articles are named, which nothing is fitted on."""
    return (
        coverage * ENOUGH / _BESIDE
        if coverage <= _BESIDE
        else ENOUGH + (1 - ENOUGH) * (coverage - _BESIDE) / (1 - _BESIDE)
    )


def _verdict(evidence: float, coverage: float, missing: Sequence[str], *, reason: str) -> Verdict:
    return Verdict(
        evidence=evidence,
        coverage=coverage,
        missing=tuple(missing),
        is_enough=not reason,
        reason=reason,
    )


def _is_evidence(naming: Naming, citation: Citation) -> bool:
    if speaks_of(naming, citation.text):
        return True
    numbers = {article.number for article in naming.articles}
    return bears_name(naming, citation) and not numbers.isdisjoint(words(citation.text))
