"""Long sentences cut at a clause, with what matters still in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from docrag.answer.subject import uncovered

#: Longest quoted sentence, characters; a longer one is cut with a sign.
LONGEST: Final = 600
#: A cut at a clause may lose so many characters more than one at a blank.
_LOST: Final = 200
#: Clauses that are tried as a beginning; a sentence with more is a text without sentences.
_MOST_CLAUSES: Final = 40
_CUT: Final = "…"
_CLAUSE: Final = re.compile(r"[,;:](?= )")


def shortened(text: str, wanted: Sequence[str]) -> str:
    """The text if it is short enough, else the part that speaks of most of the wanted words.

    It begins with the text unless another clause has more of the words, and ends at a clause or,
    without one near, at a blank; ``…`` stands where something is left out.

    :param text: with single blanks.
    :param wanted: content words of the question, folded.
    """
    if len(text) <= LONGEST:
        return text
    starts = [0, *(found.end() + 1 for found in islice(_CLAUSE.finditer(text), _MOST_CLAUSES))]
    least = len(uncovered(wanted, text))
    best = min(starts, key=lambda start: (len(uncovered(wanted, _part(text, start))), start))
    if len(uncovered(wanted, _part(text, 0))) == least:
        best = 0
    part = _part(text, best)
    before = f"{_CUT} " if best else ""
    behind = f" {_CUT}" if best + len(part) < len(text) else ""
    return f"{before}{part}{behind}"


def _part(text: str, start: int) -> str:
    """At most :data:`LONGEST` characters from a place on, to the end of a clause or word."""
    part = text[start : start + LONGEST]
    if start + LONGEST >= len(text):
        return part
    ends = [found.end() for found in _CLAUSE.finditer(part)]
    if ends and ends[-1] >= LONGEST - _LOST:
        return part[: ends[-1]].rstrip(",;: ")
    return part.rsplit(" ", 1)[0]
