"""Denied verbs that only say a limit, in a claim and its evidence alike.

"Beş metreden az olamaz" is "en az 5 metre": the denied verb denies nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from docrag.answer.verification.bounds import LEAST, MOST, bound, limiting
from docrag.answer.verification.claim import Claim
from docrag.answer.verification.number import Number
from docrag.answer.verification.source import Line
from docrag.answer.verification.tokens import Token
from docrag.answer.verification.units import is_amount


def shared(claim: Claim, lines: Sequence[Line]) -> frozenset[tuple[int, int]]:
    """Line and place of the words that say a limit which both have; the claim is line -1."""
    return frozenset(
        (at, place)
        for number in claim.numbers
        for line_at, line in enumerate(lines)
        for other in line.numbers
        if is_amount(number, other) and _is_one(claim.tokens, number, line.tokens, other)
        for at, place in (
            (-1, limiting(claim.tokens, number)),
            (line_at, limiting(line.tokens, other)),
        )
        if place is not None
    )


def _is_one(
    ours: Sequence[Token], number: Number, theirs: Sequence[Token], other: Number
) -> bool:  # fmt: skip
    limit = bound(ours, number)
    return limit in (LEAST, MOST) and limit == bound(theirs, other)
