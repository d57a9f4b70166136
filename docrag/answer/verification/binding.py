"""Does a value stand where the source speaks of the matter, or by another thing?

A value of a sentence has words around it. Where the evidence has those words around another value
of the same kind, and not around this one, the value was taken from elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from docrag.answer.verification.claim import Claim
from docrag.answer.verification.dates import Date
from docrag.answer.verification.endings import same
from docrag.answer.verification.names import Name
from docrag.answer.verification.number import Number
from docrag.answer.verification.portions import is_of_another
from docrag.answer.verification.slot import Slot as Slot
from docrag.answer.verification.source import Line, Source
from docrag.answer.verification.units import is_amount

#: Most values of a kind that are tried, and most places of each; a sentence has few.
MOST_VALUES, MOST_SLOTS = 12, 80
#: More tokens than a line has.
FAR: Final = 1_000_000
#: Tokens around a value that tell of what it is.
REACH: Final = 7
#: How many times as well as around the value itself its words must stand around another one, and
#: by how much more: words next to both count 0.5 each.
RIVAL, MARGIN = 1.3, 0.25
#: As much, where the source does not have the value at all.
ABSENT: Final = 1.3
#: Weight of words that stand by many values, beside 1 of others, and how they begin.
COMMON: Final = 0.3
_COMMON: Final = ("yil", "tarih", "gun", "ay", "sene", "year")


def misplaced(claim: Claim, source: Source, asked: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Kind and text of every value of a claim that its source has by another thing.

    :param asked: folded words of the question; its names and those of the source's title are what
        is spoken of, and no values.
    """
    lines = source.lines
    places = [positions(line) for line in lines]
    for date in claim.dates[:MOST_VALUES]:
        slots = list(islice(_dates(date, claim, lines), MOST_SLOTS))
        if _is_misplaced(claim, date.first, date.last, slots, places):
            yield "date", date.written
    for number in claim.numbers[:MOST_VALUES]:
        slots = list(islice(_numbers(number, claim, lines), MOST_SLOTS))
        if _is_misplaced(claim, number.first, number.last, slots, places) or is_of_another(
            claim, number.first, number.last, slots, lines
        ):
            yield "number", number.written
    for mention in claim.mentions[:MOST_VALUES]:
        names = [name for name in mention.names if name.folded not in asked]
        if 2 * sum(source.is_headed(name.folded) for name in names) >= len(names):
            continue
        slots = list(islice(_mentions(names, claim, lines), MOST_SLOTS))
        if _is_misplaced(claim, mention.first, mention.last, slots, places) or (
            len(mention.written) == 1
            and is_of_another(claim, mention.first, mention.last, slots, lines)
        ):
            yield "name", mention.written


def _is_misplaced(
    claim: Claim, first: int, last: int, slots: Sequence[Slot],
    places: Sequence[Mapping[str, Sequence[int]]],
) -> bool:  # fmt: skip
    near = around(claim, first, last)
    most = {True: 0.0, False: 0.0}
    for slot in slots:
        most[slot.is_own] = max(most[slot.is_own], worth(near, slot, places[slot.line]))
    if not any(slot.is_own for slot in slots):
        return most[False] > ABSENT
    return most[False] > RIVAL * most[True] + MARGIN


def around(claim: Claim, first: int, last: int) -> list[tuple[frozenset[str], float]]:
    """Keys of the words and values near a value, with their weight by distance."""
    keys = claim.keys
    found = []
    for place in range(max(first - REACH, 0), min(last + REACH, len(claim.tokens))):
        if first <= place < last or not keys[place]:
            continue
        distance = first - place if place < first else place - last + 1
        folded = claim.tokens[place].folded
        weight = COMMON if folded.startswith(_COMMON) else 1.0
        found.append((keys[place], weight / (1 + distance)))
    return found


def worth(
    near: Sequence[tuple[frozenset[str], float]], slot: Slot, places: Mapping[str, Sequence[int]]
) -> float:
    """How near the words stand to a place of a line, 0 and up.

    :param near: of :func:`around`.
    :param places: of :func:`positions`, of the line.
    """
    total = 0.0
    for keys, weight in near:
        distance = min((_distance(slot, places.get(key, ())) for key in keys), default=FAR)
        if distance < FAR:
            total += (weight / (1 + distance)) ** 0.5
    return total


def _distance(slot: Slot, places: Sequence[int]) -> int:
    """Tokens from a slot to the nearest of these places outside it; :data:`FAR` for none.

    :param places: in order.
    """
    before, behind = bisect_left(places, slot.first), bisect_left(places, slot.last)
    distance = slot.first - places[before - 1] if before else FAR
    if behind < len(places):
        distance = min(distance, places[behind] - slot.last + 1)
    return distance


def positions(line: Line) -> Mapping[str, Sequence[int]]:
    """Places of the tokens of a line by what stands for them."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, keys in enumerate(line.keys):
        for key in keys:
            found[key].append(place)
    return found


def _dates(date: Date, claim: Claim, lines: Sequence[Line]) -> Iterator[Slot]:
    for at, line in enumerate(lines):
        for other in line.dates:
            own = other.holds(date)
            known = any(other.holds(told) or told.holds(other) for told in claim.dates)
            if own or (not known and (date.year is None) == (other.year is None)):
                yield Slot(at, other.first, other.last, own)


def _numbers(number: Number, claim: Claim, lines: Sequence[Line]) -> Iterator[Slot]:
    for at, line in enumerate(lines):
        for other in line.numbers:
            if number.unit and _is_item(other, line):
                continue
            own = is_amount(number, other)
            alike = other.unit == number.unit and other.is_ordinal == number.is_ordinal
            if own or (alike and other.is_sure and not _is_said(other, claim)):
                yield Slot(at, other.first, other.last, own)


def _is_said(other: Number, claim: Claim) -> bool:
    """True if a claim has a number of a line as well."""
    return any(other.equals(told) or is_amount(other, told) for told in claim.numbers[:MOST_VALUES])


def _is_item(number: Number, line: Line) -> bool:
    """True for the number of a paragraph or item, "(2)"."""
    token = line.tokens[number.first]
    sides = line.text[max(token.start - 1, 0) : token.start], line.text[token.end : token.end + 1]
    return not number.unit and sides == ("(", ")")


def _mentions(names: Sequence[Name], claim: Claim, lines: Sequence[Line]) -> Iterator[Slot]:
    said = [name.folded for name in claim.names]
    for at, line in enumerate(lines):
        for other in line.mentions:
            words = [name.folded for name in other.names]
            own = any(same(name.folded, word) for name in names for word in words)
            known = any(same(one, word) for one in said for word in words)
            if own or not known:
                yield Slot(at, other.first, other.last, own)
