"""Sentences of an answer judged against its numbered sources."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from docrag.answer.verification.claim import Claim, read
from docrag.answer.verification.claims import is_claim
from docrag.answer.verification.clauses import clauses
from docrag.answer.verification.finding import Finding as Finding
from docrag.answer.verification.fit import Fit, fit
from docrag.answer.verification.source import Source
from docrag.api import Citation, fold, words

#: Most numbers and dates of a sentence whose clauses are judged one by one; more are a table.
MOST: Final = 12


class Verifier:
    """Judges sentences of one answer against its numbered sources. Not thread-safe.

    The sources are read once, when it is made.
    """

    def __init__(self, context: Sequence[Citation], *, question: str = "") -> None:
        self._sources = [Source(citation) for citation in context]
        self._asked = frozenset(fold(word) for word in words(question))

    def judge(self, sentence: str, cited: Collection[int]) -> Finding:
        """What one sentence is.

        :param sentence: a sentence or list item without its markers.
        :param cited: numbers of the sources that its markers name, empty if it has none.
        """
        claim = read(sentence)
        if not is_claim(sentence, claim):
            return Finding(is_claim=False, supported=True, source=None, score=1.0)
        own = [source for source in self._sources if source.number in cited]
        others = [source for source in self._sources if source.number not in cited]
        best = self._supported(sentence, claim, own if cited else others)
        if best and not best.reasons:
            return _finding(best, source=best.source)
        if not cited:
            return _finding(best, source=None)
        other = self._best(claim, others, briefly=True)
        if other and not other.reasons:
            return _finding(best, source=other.source, moved=True)
        return _finding(best, source=None)

    def _supported(self, sentence: str, claim: Claim, sources: Sequence[Source]) -> Fit | None:
        """The best fit of a sentence, or else of its clauses; ``None`` for no sources."""
        best = self._best(claim, sources)
        if best and best.reasons and len(claim.numbers) + len(claim.dates) <= MOST:
            return self._by_clauses(sentence, best, sources) or best
        return best

    def _by_clauses(self, sentence: str, whole: Fit, sources: Sequence[Source]) -> Fit | None:
        """The fit of a sentence each of whose clauses a source supports; ``None`` for no such.

        A sentence may put together what stands in several places, or in several sources.
        """
        parts = clauses(sentence)
        if len(parts) <= 1:
            return None
        fits = [self._best(read(part), sources) for part in parts]
        if any(fit is None or fit.reasons for fit in fits):
            return None
        scores = [fit.score for fit in fits if fit]
        return replace(whole, score=min(scores), reasons=(), missing=())

    def _best(
        self, claim: Claim, sources: Sequence[Source], *, briefly: bool = False
    ) -> Fit | None:
        """The best fit of these sources; ``None`` for no sources."""
        fits = [fit(claim, source, self._asked, briefly=briefly) for source in sources]
        return max(fits, key=lambda found: found.rank, default=None)


def _finding(found: Fit | None, *, source: int | None, moved: bool = False) -> Finding:
    """The finding of a claim whose best fit this is.

    :param moved: True for one that another source supports than those that it cites.
    """
    reasons = found.reasons if found else ("coverage",)
    return Finding(
        is_claim=True,
        supported=not reasons,
        source=source,
        score=found.score if found else 0.0,
        reasons=("wrong_source",) if moved else reasons,
        missing=found.missing if found else (),
    )
