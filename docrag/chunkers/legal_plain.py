"""Paragraphs (fıkra) without numbers, as older laws have them."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.chunkers.legal_lines import BODY, RAISED
from docrag.chunkers.legal_notes import is_bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line
    from docrag.chunkers.legal_width import Measure

#: Characters of a line's end that show whether a sentence ends there.
_TAIL = 14
_ENDS = re.compile(r"[.!?][”\"’»)]?[ \t]?(?:\(?\d{1,3}\)?){0,3}$|\)$")
_BEGINS = re.compile(r"[“\"(]?[A-ZÇĞİÖŞÜÂÎÛ0-9]")
_ITEM = re.compile(r"\(?(?:[a-zçğıöşü]{1,3}|[A-ZÇĞİÖŞÜ]|\d{1,2}|[IVX]{1,5})[).–-][ \t]?|[•–*-]")
#: A note that stands in front of a whole paragraph, and the number that it may name.
_NAMED = re.compile(r"\((?:Ek|Değişik|Mülga|İptal)[ \t]+(?:([^\W\d_]+)[ \t]+)?fıkra\b")
_ORDINALS = (
    "birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu".split()
)
#: Words that go on with a paragraph more often than they begin one.
_GOES_ON = re.compile(r"(?:Ancak|Şu kadar ki|Bu durumda|Aksi)\b")
#: A line at most so wide is indented, one at least so wide is not: full less these many indents.
_SURELY_INDENTED, _SURELY_NOT = 1.35, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The lines of one article, or of its continuation."""

    lines: Sequence[Line]
    #: First line, titles above counted in, and the one behind the last.
    first: int
    last: int
    #: Line of the heading; ``first - 1`` for a continuation.
    at: int
    #: What the heading's line says behind the number.
    rest: str
    #: Lines that quote another law and begin nothing here.
    quoted: frozenset[int]
    measure: Measure
    #: Number of the last paragraph of what is continued.
    before: int = 0

    @property
    def begins(self) -> bool:
        """True if the heading is among the lines."""
        return self.at >= self.first

    def is_text(self, at: int) -> bool:
        """True for a line of words; the number of a footnote may have one of its own."""
        line = self.lines[at]
        return line.role == BODY and not RAISED.fullmatch(line.text)

    def text_lines(self, first: int, last: int) -> list[int]:
        """Places of the lines below the heading that may begin something."""
        return [
            at
            for at in range(max(first, self.at + 1), last)
            if self.is_text(at) and at not in self.quoted
        ]


def plain_starts(body: Body, places: Sequence[int]) -> list[tuple[int, int | None]]:
    """First line and number of each paragraph, counted as the law counts them.

    A note about a repealed paragraph stands alone and is not counted. Where the layout does not
    show whether a paragraph begins, none does, and those behind it have no number, unless a note
    names it; one paragraph alone has none either.

    :param places: the article's lines below the heading that may begin something.
    """
    starts, doubts = _found(body, places)
    runs = list(zip([body.first, *starts], [*starts, body.last], strict=True))
    counted = [not _is_bare(body, first, last) for first, last in runs]
    if sum(counted) + body.before == 1:
        return [(first, None) for first, _ in runs]
    numbers: list[int | None] = []
    number: int | None = body.before
    for (first, last), counts in zip(runs, counted, strict=True):
        number = number if number is None or not counts else number + 1
        named = _named(body, first)
        if named is not None and number not in (None, named):  # what was counted is wrong
            numbers = [None] * len(numbers)
        number = named or number
        numbers.append(number if counts else None)
        if bisect_left(doubts, last) > bisect_left(doubts, first):
            number = None
    return [(first, number) for (first, _), number in zip(runs, numbers, strict=True)]


def _found(body: Body, places: Sequence[int]) -> tuple[list[int], list[int]]:
    """Lines that begin a paragraph, and those that may."""
    starts: list[int] = []
    doubts: list[int] = []
    first = body.first  # of the paragraph that the line before belongs to
    for at in places:
        if not _may_begin(body, at) or (at == places[0] and body.begins and is_bare(body.rest)):
            continue
        begins = _begins(body, at, is_second=_before(body, at) == max(first, body.at))
        if begins:
            starts.append(at)
            first = at
        elif begins is None:
            doubts.append(at)
    return starts, doubts


def _is_bare(body: Body, first: int, last: int) -> bool:
    """True for a paragraph of notes alone."""
    texts = [body.lines[at].text for at in body.text_lines(first, last)]
    if first == body.first and body.begins:
        texts = [body.rest, *texts]
    return all(map(is_bare, texts))


def _named(body: Body, first: int) -> int | None:
    """The number that a paragraph's own note gives it."""
    found = _NAMED.match(body.lines[first].text)
    if found is None or found[1] not in _ORDINALS or body.lines[first].text[1:].startswith("M"):
        return None
    return _ORDINALS.index(found[1]) + 1


def _may_begin(body: Body, at: int) -> bool:
    text = body.lines[at].text
    before = body.lines[_before(body, at)].text
    return bool(_ENDS.search(before[-_TAIL:]) and _BEGINS.match(text) and not _ITEM.match(text))


def _begins(body: Body, at: int, *, is_second: bool) -> bool | None:
    """True if a line behind a sentence begins a paragraph, ``None`` if it may.

    :param is_second: the line before is the first one of its paragraph.
    """
    text, before = body.lines[at].text, body.lines[_before(body, at)].text
    if is_bare(before) and "Mülga" in before:
        return True
    if _NAMED.match(text) or body.measure.fits(before, text, indented=is_second):
        return True
    return _is_indented(body.measure, text, _after(body, at))


def _is_indented(measure: Measure, text: str, following: str) -> bool | None:
    """True if a line is the indented first one of a paragraph, ``None`` if it may be."""
    part, indent = measure.part(text), measure.indent
    if indent and part > 1 - _SURELY_NOT * indent:
        return False
    if not indent or not following or _ENDS.search(text[-_TAIL:]):
        return None
    if measure.fits(text, following):
        return True
    if part < 1 - _SURELY_INDENTED * indent:
        return _GOES_ON.match(text) is None
    return None


def _before(body: Body, at: int) -> int:
    """Place of the text line before a line of the article, at least that of its heading."""
    place = at - 1
    while place > max(body.first, body.at) and not body.is_text(place):
        place -= 1
    return place


def _after(body: Body, at: int) -> str:
    """The next text line of the article, empty for none."""
    for place in range(at + 1, body.last):
        if body.is_text(place):
            return body.lines[place].text
    return ""
