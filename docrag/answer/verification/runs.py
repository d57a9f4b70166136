"""Clauses of a text as runs of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docrag.answer.verification.polarity import is_finite
from docrag.answer.verification.tokens import Token

#: Folded words that begin a clause behind a verb.
_JOINING: Final = frozenset({"ve", "ancak", "fakat", "ama", "and", "but"})


def runs(text: str, found: Sequence[Token]) -> list[tuple[int, int]]:
    """First token and the one behind the last of each clause, in order; none for no tokens.

    A clause ends in a verb that could end a sentence, with a comma, a semicolon or "ve" behind it.

    :param found: the tokens of the text.
    """
    ends = [
        place + 1
        for place, (token, following) in enumerate(zip(found, found[1:], strict=False))
        if is_finite(token.folded)
        and (
            following.folded in _JOINING
            or any(sign in ",;." for sign in text[token.end : following.start])
        )
    ]
    starts = [0, *ends]
    return [(a, b) for a, b in zip(starts, [*ends, len(found)], strict=True) if a < b]
