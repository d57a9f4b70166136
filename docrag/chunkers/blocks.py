"""Blocks of a flow: headings, tables, code, and the text between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.chunkers.headings import MOST_CAPITALS, Heading, heading_at, number_of
from docrag.chunkers.lines import Line, lines_of, usual_length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docrag.chunkers.flow import Flow

_FENCES = ("```", "~~~")
#: Fewest cells of a table's row.
_CELLS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that are of one kind."""

    #: ``heading``, ``table``, ``code`` or ``text``; a text is of one page.
    kind: str
    #: In order, never empty.
    lines: tuple[Line, ...]
    #: Of a heading only.
    heading: Heading | None = None

    @property
    def start(self) -> int:
        """Place of the first visible character in the flow."""
        return self.lines[0].start

    @property
    def end(self) -> int:
        """Place behind the last visible character in the flow."""
        return self.lines[-1].end


def blocks_of(flow: Flow) -> Iterator[Block]:
    """The blocks of a flow in order; together they hold every line that is not blank."""
    lines = lines_of(flow)
    reader = _Reader(lines, flow.section)
    place = text = 0
    while place < len(lines):
        block = reader.block_at(place)
        if block is None:
            place += 1
            continue
        yield from _texts(lines[text:place])
        yield block
        place = text = place + len(block.lines)
    yield from _texts(lines[text:])


class _Reader:
    """Finds what is not plain text, from the first line to the last."""

    def __init__(self, lines: Sequence[Line], section: str) -> None:
        self._lines = lines
        self._usual = usual_length(list(lines))
        self._closings = _closings(lines)
        #: Heading that the loader has taken for the section, which often is the first line.
        self._known = " ".join(section.rpartition(" > ")[2].split())
        self._last: int | None = None
        #: Place behind the last heading.
        self._below = -1
        #: Lines before this one are known to be no heading of capitals.
        self._shouted = 0

    def block_at(self, place: int) -> Block | None:
        """The block that begins with a line, ``None`` if it is plain text."""
        lines = self._lines
        if place in self._closings:
            return Block(kind="code", lines=tuple(lines[place : self._closings[place] + 1]))
        if rows := _rows(lines, place):
            return Block(kind="table", lines=tuple(lines[place : place + rows]))
        if place == 0 and self._known and " ".join(lines[0].text.split()) == self._known:
            return self._heading(0, 1, None)
        heading = self._heading_at(place, below=place == self._below)
        if heading is None or place < self._shouted:
            return None
        if heading.form == "capitals":
            return self._capitals(place, heading)
        if heading.form == "numbered" and (number := number_of(heading.title)) is not None:
            self._last = number
        return self._heading(place, place + 1, heading)

    def _heading_at(self, place: int, *, below: bool) -> Heading | None:
        return heading_at(self._lines, place, usual=self._usual, last=self._last, below=below)

    def _heading(self, place: int, end: int, heading: Heading | None) -> Block:
        self._below = end
        return Block(kind="heading", lines=tuple(self._lines[place:end]), heading=heading)

    def _capitals(self, place: int, heading: Heading) -> Block | None:
        """Neighbouring lines of capitals as one heading, unless they are too many."""
        titles, end = [heading.title], place + 1
        while end < len(self._lines) and not self._lines[end].apart:
            following = self._heading_at(end, below=True)
            if following is None or following.form != "capitals":
                break
            titles.append(following.title)
            end += 1
        if len(titles) > MOST_CAPITALS:
            self._shouted = end
            return None
        whole = Heading(level=heading.level, title=" ".join(titles), form=heading.form)
        return self._heading(place, end, whole)


def _texts(lines: Sequence[Line]) -> Iterator[Block]:
    """Plain lines as one block a page."""
    first = 0
    for place in range(1, len(lines) + 1):
        if place == len(lines) or lines[place].page != lines[first].page:
            yield Block(kind="text", lines=tuple(lines[first:place]))
            first = place


def _closings(lines: Sequence[Line]) -> dict[int, int]:
    """For the first line of each fenced code block, its last one; a fence left open is text."""
    bare: dict[str, int] = {}
    closing: list[int | None] = [None] * len(lines)
    for place in range(len(lines) - 1, -1, -1):
        mark = lines[place].text[:3]
        if mark in _FENCES:
            closing[place] = bare.get(mark)
            if not lines[place].text.strip(mark[0]):
                bare[mark] = place
    found: dict[int, int] = {}
    place = 0
    while place < len(lines):
        end = closing[place]
        if end is not None:
            found[place] = end
            place = end
        place += 1
    return found


def _rows(lines: Sequence[Line], place: int) -> int:
    """How many lines from this one on are rows of a Markdown table, 0 for none."""
    piped = lines[place].text.startswith("|")
    end = place + 1
    if not piped and not (end < len(lines) and is_rule(lines[end].text)):
        return 0
    while end < len(lines) and not lines[end].apart and "|" in lines[end].text:
        if piped and not lines[end].text.startswith("|"):
            break
        end += 1
    return end - place if end - place >= _CELLS and "|" in lines[place].text else 0


def is_rule(text: str) -> bool:
    """True for the line below a table's header: ``|---|:--:|``."""
    return "-" in text and "|" in text and set(text) <= set("|-: \t")
