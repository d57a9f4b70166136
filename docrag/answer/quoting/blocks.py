"""Quoted sentences with what they cannot be understood without."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from docrag.answer.quoting.items import introduces
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
#: Most sentences before one that points back, and between a rule of a law and its limit.
_MOST_BEFORE: Final = 2
#: Longest sentence that is put beside another one to explain it, characters.
_LONGEST_JOINED: Final = 400
#: Longest sentence between two chosen ones that is quoted as well, characters, and all of those
#: between a rule of a law and its limit.
_LONGEST_BETWEEN: Final = 200
#: Number of a paragraph or letter of an item before the words of a sentence.
_NUMBER: Final = r"(?:\(\d{1,2}\)|[a-zçğıöşü]\)|\d{1,2}[.)])?\s*"
_LIMITING: Final = (
    "Ancak|Şu ?kadar ki|Bununla birlikte|Aksi|Meğer ki|Yalnız|However|Otherwise|Unless|Except"
)
#: Begins a sentence that cannot be understood without the one before.
_POINTS: Final = re.compile(
    rf"{_NUMBER}(?:Bun?|Bun(?:lar)?(?:un|u|a|da|dan|lardan|ların)?|Bunlar|Burada\w*|O|On(?:un|u|a)"
    r"|(?:Daha|Bundan) (?:az|çok|fazla|uzun|kısa|yüksek|düşük|büyük|küçük|ağır|hafif)\w*"
    r"|Diğerleri\w*|Diğer (?:h[aâ]l|durum|zaman|gün|yer)\w*|Geri kalan\w*|Kalan(?:ı|lar)\w*"
    r"|Fazlası\w*|Böyle\w*|Öyleyse|Yoksa"
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
    #: Positions of those pieces behind which something of the list or table is left out.
    gaps: frozenset[int] = frozenset()
    #: Positions of those that limit what is quoted before them; they are cut behind the beginning.
    limits: frozenset[int] = frozenset()

    @property
    def citation(self) -> int:
        """Number of the source."""
        return self.pieces[0].citation


def blocks(chosen: Sequence[ScoredSentence], scored: Sequence[ScoredSentence]) -> list[Block]:
    """The chosen sentences with their surroundings, the best first, then in reading order.

    A sentence that introduces a list comes with its items, an item or a row with what introduces
    it, one that points back with the one before, and one that is limited by the next with that.

    :param chosen: best first.
    :param scored: all sentences of all sources, in reading order.
    """
    sources = _by_source(scored)
    places: dict[int, set[int]] = {}
    for one in chosen:
        own, at = sources[one.citation], places.get(one.citation, set())
        more = {**places, one.citation: at | _places(one, own)}
        whole = _continued(more, sources)
        if not places or _length(whole, sources) <= _ROOM:
            places = more
    found: list[Block] = []
    for number, at in _continued(places, sources).items():
        own = sources[number]
        runs = _together(sorted(at | _between(at, own)), own)
        found += [_block(run, own, chosen[0].piece) for run in runs]
    return sorted(found, key=lambda block: chosen[0].piece not in block.pieces)


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


def _block(run: Sequence[int], own: Sequence[ScoredSentence], best: Piece) -> Block:
    return Block(
        pieces=tuple(own[place].piece for place in run),
        probability=max(own[place].probability for place in run),
        gaps=frozenset(gaps(run, own)),
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
    behind = _beyond_remarks(own, _end(piece, own), 1)
    if behind < len(own) and _is_limit(own[behind].text):
        return found | _joined(own, behind, piece)
    return found | _further_limit(own, behind, piece)


def _further_limit(own: Sequence[ScoredSentence], at: int, piece: Piece) -> set[int]:
    """Positions of short sentences of a law behind a rule, and of the limit behind them.

    :param at: position of the first of those sentences.
    """
    used = 0
    for _ in range(_MOST_BEFORE):
        if at >= len(own) or own[at].piece.kind != "sentence" or not piece.article:
            break
        used += len(own[at].text)
        behind = _beyond_remarks(own, at + 1, 1)
        if used > _LONGEST_BETWEEN or behind >= len(own):
            break
        if own[behind].piece.kind == "sentence" and begins_limit(own[behind].text):
            joined = _joined(own, behind, piece)
            return joined and {*range(piece.position, behind), *joined}
        at = behind
    return set()


def _before(piece: Piece, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of what a sentence points back to, and what that points back to."""
    found: set[int] = set()
    while len(found) < _MOST_BEFORE and points_back(piece.text):
        at = _beyond_remarks(own, piece.position - 1, -1)
        joined = _joined(own, at, piece)
        if not joined:
            break
        found |= joined
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


def points_back(text: str) -> bool:
    """True if a sentence cannot be understood without the one before: "Bunlardan biri …"."""
    return _POINTS.match(text) is not None


def begins_limit(text: str) -> bool:
    """True if a sentence begins as one that limits what stands before it: "Ancak"."""
    return _LIMITS.match(text) is not None


def _is_limit(text: str) -> bool:
    """True if a sentence limits what stands before it."""
    return begins_limit(text) or _EXCEPTS.search(text) is not None


def _beyond_remarks(own: Sequence[ScoredSentence], at: int, step: int) -> int:
    """The position, or the next one that is not of a law's editors' remark; may be outside."""
    while 0 <= at < len(own) and own[at].piece.kind == "remark":
        at += step
    return at


def _joined(own: Sequence[ScoredSentence], at: int, piece: Piece) -> set[int]:
    """The position of a sentence and of remarks up to the piece, if they may be put together.

    They may if the sentence is of the same section and not too long; a limit behind the piece may
    be of any length, and is cut with a sign.
    """
    if not 0 <= at < len(own):
        return set()
    other = own[at].piece
    is_near = other.kind in ("sentence", "item") and other.section == piece.section
    is_behind = at > piece.position and begins_limit(other.text)
    if not is_near or (len(other.text) > _LONGEST_JOINED and not is_behind):
        return set()
    first, last = sorted((at, piece.position))
    between = {n for n in range(first, last) if own[n].piece.kind == "remark"}
    return {at, *between}


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
