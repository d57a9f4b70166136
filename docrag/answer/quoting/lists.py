"""Lists and tables among the sentences of a source: what belongs to one, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from docrag.answer.quoting.items import OPENS, follows, form
from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.relevance import ScoredSentence

#: Most items or rows of a list that are quoted with the sentence before them, and characters.
MOST_ITEMS: Final = 12
_MOST_LISTED: Final = 1_500
#: Kinds of the pieces of a table.
_TABULAR: Final = ("row", "head", "columns")
#: Longest item that is quoted with a sentence of its own that introduces a list, characters.
_SHORT: Final = 100


def leads(piece: Piece, own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of all sentences that introduce an item or row, one in the other."""
    found: set[int] = set()
    lead = piece.lead
    while lead is not None and lead not in found:
        found.add(lead)
        before = own[lead - 1].piece if lead else None
        is_item = own[lead].piece.kind == "item"
        if not is_item and before and before.kind == "item" and len(before.text) <= _SHORT:
            found.add(before.position)
            lead = before.lead
        else:
            lead = own[lead].piece.lead
    return found


def listed(at: int, own: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The items, with the lists in them, or the rows that a sentence introduces; in order."""
    behind = own[at + 1 :]
    if behind and behind[0].piece.kind in _TABULAR:
        table = takewhile(lambda one: one.piece.kind in _TABULAR, behind)
        return [one for one in table if one.piece.kind != "head"]
    last = at
    for one in behind:
        if one.piece.kind in ("heading", *_TABULAR):
            break
        if one.piece.kind == "item":
            if at not in leads(one.piece, own):
                break
            last = one.position
    return list(own[at + 1 : last + 1])


def siblings(piece: Piece, own: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The other items or rows of the list or table of one, in order."""
    if piece.kind == "item" and piece.lead is not None:
        return [
            one
            for one in listed(piece.lead, own)
            if one.piece.lead == piece.lead and one.position != piece.position
        ]
    before = takewhile(lambda one: _is_beside(one.piece, piece), reversed(own[: piece.position]))
    behind = takewhile(lambda one: _is_beside(one.piece, piece), own[piece.position + 1 :])
    return [*reversed(list(before)), *behind]


def most(items: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the items that are meant, or else of the first ones that have room.

    Names of columns come with any row.
    """
    kept: list[ScoredSentence] = []
    meant = [one for one in items if one.is_meant or one.piece.kind == "columns"]
    is_told = any(one.is_meant for one in items)
    for item in (meant if is_told else items)[:MOST_ITEMS]:
        if kept and sum(len(other.text) for other in kept) + len(item.text) > _MOST_LISTED:
            break
        kept.append(item)
    return {item.position for item in kept}


def columns(piece: Piece, own: Sequence[ScoredSentence]) -> set[int]:
    """Position of the names of a row's columns where the row does not tell them."""
    for one in reversed(own[: piece.position]):
        if one.piece.kind == "columns":
            return {one.position}
        if one.piece.kind != "row":
            break
    return set()


def sublists(places: set[int], own: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the lists that the items among these introduce, unless they have some of it."""
    found: set[int] = set()
    for place in places:
        piece = own[place].piece
        if piece.kind == "item" and piece.text.endswith(OPENS):
            below = listed(place, own)
            if not any(one.position in places for one in below):
                found |= most(below)
    return found


def continued(own: Sequence[ScoredSentence], other: Sequence[ScoredSentence]) -> set[int]:
    """Positions of the items in another source with which the last list of a source goes on.

    :param own: the pieces of a source whose last piece is an item.
    :returns: empty unless the other source stands right behind it, as the next page of a passage.
    """
    last, first = own[-1].piece, other[0].piece
    is_next = first.document == last.document and 0 <= first.ordinal - last.ordinal <= 1
    if not is_next or last.kind != "item" or not follows(last.text, first.text):
        return set()
    shape = form(first.text)
    items = takewhile(lambda one: one.piece.kind in ("item", "remark"), other)
    return most([one for one in items if form(one.text) == shape or one.piece.lead is not None])


def gaps(run: Sequence[int], own: Sequence[ScoredSentence]) -> Iterator[int]:
    """Positions among quoted ones behind which an item, a row or a sentence is left out."""
    for first, second in pairwise(run):
        if any(own[n].piece.is_body for n in range(first + 1, second)):
            yield first
    last = own[run[-1]].piece
    behind = next((one.piece for one in own[run[-1] + 1 :] if one.piece.is_body), None)
    if behind is not None and behind.lead is not None and last.kind != "remark":
        goes_on = behind.lead in run and behind.lead != last.position
        if goes_on and behind.kind in ("item", "row"):
            yield run[-1]


def _is_beside(other: Piece, piece: Piece) -> bool:
    """True if two items or rows that stand together are of one list or table."""
    if piece.kind == "row":
        return other.kind == "row"
    own = form(piece.text)
    return own is not None and own.match(other.text) is not None
