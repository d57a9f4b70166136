"""What became of each question, and the rows of the table.

Outcomes: *correct* (the answer says what is expected, and a passage that it was given says it too),
*not in context* (right, but no passage says it), *refused*, and *wrong*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval import phrases
from eval.answer_sets import ANSWERABLE, REMOVED, UNANSWERABLE, AnswerCase
from eval.answering import Told, key_of
from eval.measures import interval
from eval.report import Row

CORRECT, NOT_IN_CONTEXT, REFUSED, WRONG = "correct", "not_in_context", "refused", "wrong"
#: Groups that answerable questions of an encyclopaedia fall into: is the answer among the passages?
RETRIEVED, NOT_RETRIEVED = "retrieved", "not_retrieved"
#: Groups in the order of the table.
GROUPS: Final = (RETRIEVED, NOT_RETRIEVED, REMOVED, ANSWERABLE, UNANSWERABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question."""

    question: str
    group: str
    #: One of the four words above.
    word: str
    #: True if the whole expected phrase stands in the answer, not only half of its words.
    is_exact: bool
    #: True if it cites a source; one with a chunk that holds the answer; one of the right page.
    is_cited: bool
    cites_gold: bool
    cites_page: bool
    has_failed: bool
    #: Length of what was said.
    characters: int = 0
    #: True if a passage that was found holds the expected phrase, whatever article it is of.
    is_there: bool = False


def outcome(case: AnswerCase, told: Told, *, by_page: bool) -> Outcome:
    """What became of a question.

    :param by_page: for documents with pages, whose expected answers are phrases of which all must
        stand in an answer; without any, one that cites the right page is right.
    """
    declined = bool(told.declined) or phrases.declines(told.text, is_cited=bool(told.cited))
    pages = {(case.document, page) for page in case.pages}
    cites_page = not pages.isdisjoint(told.pages) if pages else case.document in _files(told)
    says = _paged(case, cites_page) if by_page else (lambda text: phrases.says(text, case.gold))
    exact = _paged(case, cites_page) if by_page else (lambda t: phrases.holds(t, case.gold))
    return Outcome(
        question=case.question,
        group=_group(case, by_page=by_page),
        word=REFUSED if declined else _word(says(told.text), exact(_context(case, told))),
        is_exact=not declined and exact(told.text),
        is_cited=not declined and bool(told.cited),
        cites_gold=not declined and not case.gold_chunks.isdisjoint(told.cited),
        cites_page=not declined and cites_page,
        has_failed=told.has_failed,
        characters=len(told.text),
        is_there=exact("\n".join(scored.chunk.text for scored in case.found)),
    )


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """A row for each group that has questions."""
    found = []
    for group in GROUPS:
        own = [one for one in outcomes if one.group == group]
        if own:
            found.append({"group": group, "n": len(own), **_figures(own)})
    return found


def _figures(own: Sequence[Outcome]) -> Row:
    """Shares of all questions of a group, of those that were answered, or of the right answers."""
    answers = [one for one in own if one.word != REFUSED]
    right = [one for one in answers if one.word == CORRECT]
    row: Row = {}
    for word in (CORRECT, REFUSED, NOT_IN_CONTEXT, WRONG):
        row |= _share(word, (one.word == word for one in own))
    row |= _share("exact", (one.is_exact for one in own))
    row |= _share("cited", (one.is_cited for one in answers))
    row |= _share("cited_gold", (one.cites_gold for one in right))
    if own[0].group == ANSWERABLE:
        row |= _share("page_cited", (one.cites_page for one in own))
    if own[0].group == REMOVED:
        row |= _share("refused_absent", (o.word == REFUSED for o in own if not o.is_there))
    lengths = [one.characters for one in answers]
    row["characters"] = round(float(np.mean(lengths))) if lengths else None
    return row | {"failed": sum(one.has_failed for one in own)}


def _share(name: str, values: Iterable[bool]) -> Row:
    """Mean and its interval, 0 to 1; ``None`` of nothing."""
    found = np.array([float(value) for value in values])
    bounds = interval(found) if len(found) else (None, None, None)
    mean, low, high = (None if bound is None else round(bound, 4) for bound in bounds)
    return {name: mean, f"{name}_low": low, f"{name}_high": high}


def _word(is_right: bool, is_there: bool) -> str:
    if not is_right:
        return WRONG
    return CORRECT if is_there else NOT_IN_CONTEXT


def _group(case: AnswerCase, *, by_page: bool) -> str:
    if by_page or case.group != ANSWERABLE:
        return case.group
    return RETRIEVED if case.is_retrieved else NOT_RETRIEVED


def _paged(case: AnswerCase, cites_page: bool) -> Callable[[str], bool]:
    """Whether a text holds what is expected of a question over pages; never without an answer."""
    expected = case.gold.splitlines()
    if case.group != ANSWERABLE:
        return lambda _: False
    return (lambda text: phrases.holds_all(text, expected)) if expected else lambda _: cites_page


def _context(case: AnswerCase, told: Told) -> str:
    """The passages that were offered, with their titles."""
    chunks = [*(scored.chunk for scored in case.found), *case.around]
    offered = set(told.context)
    return "\n".join(f"{c.title}\n{c.text}" for c in chunks if key_of(c) in offered)


def _files(told: Told) -> set[str]:
    return {key.rpartition(":")[0] for key in told.cited}
