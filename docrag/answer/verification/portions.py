"""Parts of a line that each hold one value of a kind, and which of them a claim speaks of.

"Açık sahada hız sınırı 10 km/s, bina içinde 6 km/s": each value belongs to the words of its part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from docrag.answer.verification.claim import Claim
from docrag.answer.verification.polarity import is_finite
from docrag.answer.verification.slot import Slot
from docrag.answer.verification.source import Line
from docrag.answer.verification.units import unit_of

#: Folded words that part values, as a comma does.
_PARTING: Final = frozenset({"ve", "veya", "ise", "and", "or", "but"})
#: By how much more of another part's own words a claim must have than of its value's part.
MORE: Final = 0.3
#: Letters of a word that tells parts apart though it says little ("diğer").
LONG: Final = 4


def is_of_another(
    claim: Claim, first: int, last: int, slots: Sequence[Slot], lines: Sequence[Line]
) -> bool:
    """True if a claim has the words of another value's part wherever its value stands.

    :param first: place of the value in the claim; ``last`` the one behind it.
    :param slots: where the value stands, and others of its kind.
    """
    own = [slot for slot in slots if slot.is_own]
    said = frozenset(
        key
        for place in range(len(claim.tokens))
        if not first <= place < last
        for key in _keys(claim, place)
    )
    return bool(own) and all(
        any(
            _is_beaten(said, lines[one.line], one, other, beside)
            for beside in [[slot for slot in slots if slot.line == one.line]]
            for other in beside
            if not other.is_own
        )
        for one in own
    )


def _is_beaten(
    said: frozenset[str], line: Line, own: Slot, other: Slot, slots: Sequence[Slot]
) -> bool:
    cuts = list(_cuts(line, slots))
    ours, theirs = _part(line, own, cuts), _part(line, other, cuts)
    if ours == theirs:
        return False
    mine = _covered(said, line, ours, own, theirs)
    rival = _covered(said, line, theirs, other, ours)
    return mine is not None and rival is not None and rival > mine + MORE


def _cuts(line: Line, slots: Sequence[Slot]) -> Iterator[int]:
    """Places where a part begins: behind the first comma or "ve" that follows a value."""
    ordered = sorted(slots, key=lambda slot: slot.first)
    nexts = [*(slot.first for slot in ordered[1:]), len(line.tokens)]
    for slot, following in zip(ordered, nexts, strict=True):
        for place in range(slot.last, min(following + 1, len(line.tokens))):
            if _is_parted(line, place):
                yield place
                break


def _is_parted(line: Line, place: int) -> bool:
    token = line.tokens[place]
    between = line.text[line.tokens[place - 1].end : token.start]
    return token.folded in _PARTING or "," in between or ";" in between


def _part(line: Line, slot: Slot, cuts: Sequence[int]) -> tuple[int, int]:
    first = max((cut for cut in cuts if cut <= slot.first), default=0)
    return first, min((cut for cut in cuts if cut > slot.first), default=len(line.tokens))


def _covered(
    said: frozenset[str], line: Line, part: tuple[int, int], slot: Slot, other: tuple[int, int]
) -> float | None:
    """Share of the words that only this part has which a claim has; ``None`` for no such words."""
    shared = frozenset(key for place in range(*other) for key in _keys(line, place))
    words = [
        keys
        for place in range(*part)
        if not slot.first <= place < slot.last
        and not _is_last(line, place)
        and not unit_of(line.tokens[place].folded)
        and (keys := _keys(line, place))
        and keys.isdisjoint(shared)
    ]
    if not words:
        return None
    return sum(not keys.isdisjoint(said) for keys in words) / len(words)


def _is_last(line: Line, place: int) -> bool:
    """True for the verb of the whole line."""
    return place == len(line.tokens) - 1 and is_finite(line.tokens[place].folded)


def _keys(told: Line | Claim, place: int) -> frozenset[str]:
    folded = told.tokens[place].folded
    if told.keys[place] or len(folded) < LONG:
        return told.keys[place]
    return frozenset({folded})
