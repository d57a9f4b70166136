"""Which rows of a table, and which clauses for ranges of amounts, a question means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.ranges import Amounts
from docrag.answer.subject import uncovered


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Whether a question means a row or clause, and what that is worth."""

    #: ``None`` where the question does not tell.
    is_meant: bool | None = None
    #: Log odds. Set by hand, since encyclopedias have no such rows: the one for another amount is a
    #: wrong answer however well its words fit.
    odds: float = 0.0


_UNKNOWN: Final = Fit()
#: A range that holds the question's amount, and one that does not.
_RANGED: Final = {
    True: Fit(is_meant=True, odds=3.0),
    False: Fit(is_meant=False, odds=-5.0),
    None: _UNKNOWN,
}
#: A row with the most words of the question that not all rows have, and one with fewer.
_NAMED: Final = {True: Fit(is_meant=True), False: Fit(is_meant=False, odds=-3.0)}


def fits(asked: Amounts, wanted: Sequence[str], found: Sequence[Piece]) -> list[Fit]:
    """For each piece whether the question means it, or another one beside it.

    A range of amounts decides first: the row for 15 years is meant by who asks of 15 years. Else,
    of the rows of one table, those are meant that hold most words of the question which not all of
    them hold.

    :param asked: amounts of the question.
    :param wanted: its content words, folded.
    :param found: the pieces of one source, in reading order.
    """
    told: list[Fit] = []
    for is_row, group in groupby(found, key=lambda piece: piece.kind == "row"):
        pieces = list(group)
        ranged = [_RANGED[asked.within(piece.text)] for piece in pieces]
        told += _named(wanted, pieces) if is_row and set(ranged) == {_UNKNOWN} else ranged
    return told


def _named(wanted: Sequence[str], rows: Sequence[Piece]) -> Iterator[Fit]:
    held = [set(wanted) - set(uncovered(wanted, row.text)) for row in rows]
    common = set.intersection(*held)
    most = max(len(own - common) for own in held)
    for own in held:
        yield _NAMED[len(own - common) == most] if most else _UNKNOWN
