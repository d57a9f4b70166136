"""Clauses of a sentence that say something by themselves, each with its own verb."""

from __future__ import annotations

import re
from typing import Final

from docrag.answer.verification.polarity import is_finite
from docrag.answer.verification.tokens import composed, tokens
from docrag.api import sentences

#: What may stand between two clauses.
_BETWEEN: Final = re.compile(
    r"\s*;\s+|,\s+(?:ve|ancak|fakat|ama|ise|and|but)\s+|\s+(?:ve|ancak|fakat|ama|and|but)\s+|,\s+"
)
#: Fewest words of a clause.
_FEWEST: Final = 3
#: Most clauses of a text; the last one takes the rest.
MOST: Final = 12


def clauses(text: str) -> list[str]:
    """The clauses in order; the whole text alone if it is one.

    A clause ends in a verb that could end a sentence, or at a semicolon; sentences are parted too.
    """
    whole = composed(text)
    found = [clause for sentence in sentences(whole) for clause in _parted(sentence)]
    return [*found[: MOST - 1], " ".join(found[MOST - 1 :])] if len(found) > MOST else found


def _parted(sentence: str) -> list[str]:
    found: list[str] = []
    start = 0
    for match in _BETWEEN.finditer(sentence):
        clause = sentence[start : match.start()]
        if _is_whole(clause, match[0]):
            found.append(clause.strip())
            start = match.end()
    return [*found, sentence[start:].strip()]


def _is_whole(clause: str, between: str) -> bool:
    said = tokens(clause)
    if len(said) < _FEWEST:
        return False
    return ";" in between or (said[-1].text[0].islower() and is_finite(said[-1].folded))
