"""Quoted sentences with what they cannot be understood without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from docrag.answer.quoting.items import introduces
from docrag.answer.quoting.limits import ROOM as LIMITS_ROOM
from docrag.answer.quoting.limits import Limits, begins_limit, beyond_remarks, exceptions, joined
from docrag.answer.quoting.lists import (
    columns,
    continued,
    gaps,
    leads,
    listed,
    most,
    siblings,
    sublists,
)
from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.pointing import excludes, needs_before
from docrag.answer.quoting.ranges import has_range
from docrag.answer.quoting.relevance import ScoredSentence
from docrag.answer.quoting.shortening import LONGEST

#: Longest list that is quoted whole for one of its items, characters.
_SHORT_LIST: Final = 700
#: Probability from which on an item is surely the one that is asked for.
_SURELY: Final = 0.5
#: Most characters of an answer, unless the best sentence alone has more with what belongs to it;
#: what has no room is left out with its sentence.
_ROOM: Final = 1_800
#: Most sentences before one that points back.
_MOST_BEFORE: Final = 2
#: Longest sentence between two chosen ones that is quoted as well, characters.
_LONGEST_BETWEEN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Pieces of one source that are quoted together, in reading order, at least one."""

    pieces: tuple[Piece, ...]
    #: Probability of its best sentence.
    probability: float
    #: Positions of those pieces behind which something of the list or table is left out.
    gaps: frozenset[int] = frozenset()
    #: Positions of those that limit what is quoted before them; they are cut behind the beginning.
    limits: frozenset[int] = frozenset()

    @property
    def citation(self) -> int:
        """Number of the source."""
        return self.pieces[0].citation


def blocks(
    chosen: Sequence[ScoredSentence],
    scored: Sequence[ScoredSentence],
    wanted: Sequence[str] = (),
) -> list[Block]:
    """The chosen sentences with their surroundings, the best first, then in reading order.

    A sentence that introduces a list comes with its items, an item or a row with what introduces
    it, one that points back with the one before, and one that others limit with those.

    :param chosen: best first.
    :param scored: all sentences of all sources, in reading order.
    :param wanted: content words of the question, folded.
    """
    sources = _by_source(scored)
    limits = {number: Limits.of(wanted, own) for number, own in sources.items()}
    places: dict[int, set[int]] = {}
    limiting = _Limiting()
    for one in chosen:
        own, at = sources[one.citation], places.get(one.citation, set())
        more = {**places, one.citation: at | _places(one, own)}
        whole = _continued(more, sources)
        if not places or _length(whole, sources) - limiting.used <= _ROOM:
            places = more
            limiting.add(limits[one.citation].of_piece(one.piece), places[one.citation], own)
    found: list[Block] = []
    for number, at in _continued(places, sources).items():
        own = sources[number]
        bound = limiting.places.get(number, set())
        runs = _together(sorted(at | _between(at, own)), own, bound)
        found += [
            _block(run, own, chosen[0].piece, limiting.cut.get(number, set())) for run in runs
        ]
    return sorted(found, key=lambda block: chosen[0].piece not in block.pieces)


@dataclass(slots=True, kw_only=True)
class _Limiting:
    """The limits of what is quoted, as they have room."""

    #: Positions of them by source, and of those quoted ones behind which others have no room.
    places: dict[int, set[int]] = field(default_factory=dict)
    cut: dict[int, set[int]] = field(default_factory=dict)
    used: int = 0

    def add(self, limits: Sequence[int], quoted: set[int], own: Sequence[ScoredSentence]) -> None:
        """Add those of the limits that have room to the quoted positions of their source.

        :param limits: nearest first.
        """
        for place in limits:
            if place in quoted:
                continue
            number, length = own[place].citation, min(len(own[place].text), LONGEST)
            if self.used and self.used + length > LIMITS_ROOM:
                before = [n for n in quoted if n < place]
                self.cut.setdefault(number, set()).update(before and [max(before)])
                break
            self.used += length
            quoted.add(place)
            self.places.setdefault(number, set()).add(place)


def _by_source(scored: Sequence[ScoredSentence]) -> dict[int, list[ScoredSentence]]:
    """The sentences of each source in reading order."""
    found: dict[int, list[ScoredSentence]] = {}
    for one in scored:
        found.setdefault(one.citation, []).append(one)
    return found


def _length(places: dict[int, set[int]], sources: dict[int, list[ScoredSentence]]) -> int:
    return sum(
        min(len(sources[number][place].text), LONGEST)
        for number, at in places.items()
        for place in at
    )


def _block(run: Sequence[int], own: Sequence[ScoredSentence], best: Piece, cut: set[int]) -> Block:
    return Block(
        pieces=tuple(own[place].piece for place in run),
        probability=max(own[place].probability for place in run),
        gaps=frozenset({*gaps(run, own), *(cut & set(run))}),
        limits=frozenset(n for n in run[1:] if own[n].piece != best and begins_limit(own[n].text)),
    )


def _continued(
    places: dict[int, set[int]], sources: dict[int, list[ScoredSentence]]
) -> dict[int, set[int]]:
    """The positions, and those of lists that go on in the source of the next passage behind them.

    Only where a list is quoted to the end of the source, with at least one item before the last.
    """
    found: dict[int, set[int]] = {}
    waiting = list(places.items())
    while waiting:
        number, at = waiting.pop(0)
        found[number] = found.get(number, set()) | at
        own = sources[number]
        last = len(own) - 1
        if not {last, last - 1} <= at:
            continue
        for other in sources.keys() - found.keys():
            if more := continued(own, sources[other]):
                waiting.insert(0, (other, more))
    return found


def _places(one: ScoredSentence, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of a sentence and of what belongs to it."""
    piece, at = one.piece, one.position
    found = {at, *leads(piece, own)}
    if piece.lead is None and piece.kind in ("sentence", "item"):
        found |= _before(piece, own)
    if introduces(piece.text):
        found |= most(listed(at, own))
    elif piece.kind in ("item", "row") and one.is_meant is not True:
        found |= _beside(one, own)
    if piece.kind == "row":
        found |= columns(piece, own)
    found |= sublists(found, own)
    return found | exceptions(piece, _end(piece, own), own)


def _before(piece: Piece, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of what a sentence points back to, and what that points back to."""
    found: set[int] = set()
    is_excluded = excludes(piece.text)
    while len(found) < _MOST_BEFORE and (is_excluded or needs_before(piece.text)):
        at = beyond_remarks(own, piece.position - 1, -1)
        more = joined(own, at, piece)
        if not more:
            break
        found |= more
        piece = own[at].piece
    return found


def _beside(one: ScoredSentence, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the other items of a short list, and of other amounts of a list or table.

    One row alone ("Dört saatten az: 15 dakika") would be wrong for whoever is of another; and of
    what must be done, one item is half of the answer, unless it is surely the one.
    """
    piece = one.piece
    others = siblings(piece, own)
    if has_range(piece.text):
        return most([other for other in others if has_range(other.text)])
    whole = sum(len(other.text) for other in others) + len(piece.text)
    is_list = piece.kind == "item" and piece.lead is not None and one.probability < _SURELY
    return most(others) if is_list and whole <= _SHORT_LIST else set()


def _end(piece: Piece, own: Sequence[ScoredSentence]) -> int:
    """Position behind a piece, or behind the last of its table or list of amounts."""
    others = siblings(piece, own) if piece.kind == "row" or has_range(piece.text) else []
    is_listed = piece.kind in ("row", "item")
    return max([piece.position, *(one.position for one in others if is_listed)]) + 1


def _between(places: set[int], own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of short sentences and items that alone stand between two chosen sentences."""
    return {
        first + 1
        for first, second in pairwise(sorted(places))
        if second == first + 2
        and own[first + 1].piece.kind in ("sentence", "item")
        and own[second].piece.kind == "sentence"
        and len(own[first + 1].text) <= _LONGEST_BETWEEN
    }


def _together(
    places: Sequence[int], own: Sequence[ScoredSentence], limits: set[int]
) -> Iterator[list[int]]:
    """Positions in runs: neighbours, items of one list with what introduces it, and limits."""
    run: list[int] = []
    for place in places:
        piece = own[place].piece
        follows = run and (place == run[-1] + 1 or piece.lead in run or place in limits)
        if follows and piece.is_repealed == own[run[-1]].piece.is_repealed:
            run.append(place)
        else:
            if run:
                yield run
            run = [place]
    if run:
        yield run
