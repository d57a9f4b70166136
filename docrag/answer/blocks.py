"""Quoted sentences with what they cannot be understood without."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from docrag.answer.pieces import Piece, form
from docrag.answer.ranges import has_range
from docrag.answer.relevance import ScoredSentence

#: Most items of a list that are quoted with the sentence before them, and characters of them.
MOST_ITEMS: Final = 10
_MOST_LISTED: Final = 1_500
#: Longest list that is quoted whole for one of its items, characters.
_SHORT_LIST: Final = 700
#: Probability from which on an item is surely the one that is asked for.
_SURELY: Final = 0.5
#: Longest sentence that is put beside another one to explain it, characters.
_LONGEST_JOINED: Final = 400
#: Longest sentence between two chosen ones that is quoted as well, characters.
_LONGEST_BETWEEN: Final = 200
#: Ends a sentence that introduces a list.
_OPENS: Final = (":", ";")
#: Number of a paragraph or letter of an item before the words of a sentence.
_NUMBER: Final = r"(?:\(\d{1,2}\)|[a-zçğıöşü]\)|\d{1,2}[.)])?\s*"
_LIMITING: Final = (
    "Ancak|Şu ?kadar ki|Bununla birlikte|Aksi|Meğer ki|Yalnız|However|Otherwise|Unless|Except"
)
#: Begins a sentence that cannot be understood without the one before.
_POINTS: Final = re.compile(
    rf"{_NUMBER}(?:Bun?|Bun(?:lar)?(?:un|u|a|da|dan|lardan|ların)?|Bunlar|Burada\w*|O|On(?:un|u|a)"
    rf"|Onlar\w*|Orada\w*|Söz konusu|Anılan|Belirtilen|Ayrıca|Aynı şekilde|Daha sonra|Kendisi\w*"
    rf"|This|These|It|They|Such|{_LIMITING})(?!\w)"
)
#: Begins a sentence that limits the one before.
_LIMITS: Final = re.compile(rf"{_NUMBER}(?:{_LIMITING})(?!\w)")
#: Is such a limit wherever it stands in a sentence.
_EXCEPTS: Final = re.compile(
    r"(?<!\w)(?:hariç\w*|saklıdır|saklı kalmak|uygulanmaz|istisna\w*|kapsamı? dışında\w*"
    r"|(?:az|fazla|kısa|uzun) (?:ise|olursa|olamaz|olması h[âa]linde)|bakılmaksızın"
    r"|except|excluded)(?!\w)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Pieces of one source that are quoted together, in reading order, at least one."""

    pieces: tuple[Piece, ...]
    #: Probability of its best sentence.
    probability: float

    @property
    def citation(self) -> int:
        """Number of the source."""
        return self.pieces[0].citation


def blocks(chosen: Sequence[ScoredSentence], scored: Sequence[ScoredSentence]) -> list[Block]:
    """The chosen sentences with their surroundings, the source with the best sentence first.

    A sentence that introduces a list comes with its items, an item or a row with what introduces
    it, one that points back with the one before, and one that is limited by the next with that.

    :param scored: all sentences of all sources, in reading order.
    """
    found: list[Block] = []
    for number in dict.fromkeys(one.citation for one in _best_first(chosen)):
        own = [one for one in scored if one.citation == number]
        mine = [one for one in chosen if one.citation == number]
        places = {place for one in mine for place in _places(one, own)}
        for run in _together(sorted(places | _between(places, own)), own):
            found.append(
                Block(
                    pieces=tuple(own[place].piece for place in run),
                    probability=max(own[place].probability for place in run),
                )
            )
    return found


def _best_first(chosen: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    return sorted(chosen, key=lambda one: -one.probability)


def _places(one: ScoredSentence, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of a sentence and of what belongs to it."""
    piece, at = one.piece, one.position
    found = {at}
    if piece.lead is not None:
        found.add(piece.lead)
    elif piece.kind == "sentence" and _POINTS.match(piece.text):
        found |= _joined(own, _beyond_remarks(own, at - 1, -1), piece)
    if piece.text.endswith(_OPENS):
        found |= _listed(own[at + 1 :])
    elif piece.kind in ("item", "row") and one.is_meant is not True:
        found |= _beside(one, own)
    behind = _beyond_remarks(own, _end(piece, own), 1)
    if behind < len(own) and _is_limit(own[behind].text):
        found |= _joined(own, behind, piece)
    return found


def _listed(behind: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the items or rows that a sentence introduces."""
    if behind and behind[0].piece.kind == "head":
        behind = behind[1:]
    if behind and behind[0].piece.kind == "head":
        behind = behind[1:]
    first = behind[0].piece if behind else None
    if first is None or first.kind not in ("item", "row"):
        return set()
    return _most(list(takewhile(lambda other: _is_sibling(other.piece, first), behind)))


def _beside(one: ScoredSentence, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the other items of a short list, and of other amounts of a list or table.

    One row alone ("Dört saatten az: 15 dakika") would be wrong for whoever is of another; and of
    what must be done, one item is half of the answer, unless it is surely the one.
    """
    piece = one.piece
    before = takewhile(lambda one: _is_sibling(one.piece, piece), reversed(own[: piece.position]))
    behind = takewhile(lambda one: _is_sibling(one.piece, piece), own[piece.position + 1 :])
    siblings = [*reversed(list(before)), *behind]
    if has_range(piece.text):
        return _most([other for other in siblings if has_range(other.text)])
    whole = sum(len(other.text) for other in siblings) + len(piece.text)
    is_list = piece.kind == "item" and piece.lead is not None and one.probability < _SURELY
    return _most(siblings) if is_list and whole <= _SHORT_LIST else set()


def _most(items: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the items that are meant, or else of the first ones that have room."""
    kept: list[ScoredSentence] = []
    meant = [one for one in items if one.is_meant]
    for item in (meant or items)[:MOST_ITEMS]:
        if kept and sum(len(other.text) for other in kept) + len(item.text) > _MOST_LISTED:
            break
        kept.append(item)
    return {item.position for item in kept}


def _is_sibling(other: Piece, piece: Piece) -> bool:
    """True if two items or rows are of one list or table."""
    if piece.kind == "row":
        return other.kind == "row"
    own = form(piece.text)
    return own is not None and own.match(other.text) is not None


def _end(piece: Piece, own: Sequence[ScoredSentence]) -> int:
    """Position behind a piece, or behind the last of its table or list of amounts."""
    at = piece.position + 1
    if piece.kind == "row" or (piece.kind == "item" and has_range(piece.text)):
        while at < len(own) and _is_sibling(own[at].piece, piece):
            at += 1
    return at


def _is_limit(text: str) -> bool:
    """True if a sentence limits what stands before it."""
    return _LIMITS.match(text) is not None or _EXCEPTS.search(text) is not None


def _beyond_remarks(own: Sequence[ScoredSentence], at: int, step: int) -> int:
    """The position, or the next one that is not of a law's editors' remark; may be outside."""
    while 0 <= at < len(own) and own[at].piece.kind == "remark":
        at += step
    return at


def _joined(own: Sequence[ScoredSentence], at: int, piece: Piece) -> set[int]:
    """The position of a sentence and of remarks up to the piece, if they may be put together.

    They may if the sentence is of the same section and not too long.
    """
    if not 0 <= at < len(own):
        return set()
    other = own[at].piece
    is_near = other.kind in ("sentence", "item") and other.section == piece.section
    if not is_near or len(other.text) > _LONGEST_JOINED:
        return set()
    first, last = sorted((at, piece.position))
    between = {n for n in range(first, last) if own[n].piece.kind == "remark"}
    return {at, *between}


def _between(places: set[int], own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of short sentences that alone stand between two chosen ones."""
    return {
        first + 1
        for first, second in pairwise(sorted(places))
        if second == first + 2
        and own[first + 1].piece.kind == "sentence"
        and own[second].piece.kind == "sentence"
        and len(own[first + 1].text) <= _LONGEST_BETWEEN
    }


def _together(places: Sequence[int], own: Sequence[ScoredSentence]) -> Iterator[list[int]]:
    """Positions in runs: neighbours, and items of one list with what introduces it."""
    run: list[int] = []
    for place in places:
        piece = own[place].piece
        follows = run and (place == run[-1] + 1 or piece.lead in run)
        if follows and piece.is_repealed == own[run[-1]].piece.is_repealed:
            run.append(place)
        else:
            if run:
                yield run
            run = [place]
    if run:
        yield run
