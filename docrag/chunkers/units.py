"""Units of a block: the pieces that no chunk cuts, unless one is too long by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docrag.api import spans
from docrag.chunkers.blocks import is_rule
from docrag.chunkers.lines import ITEM, SHORT, usual_length
from docrag.chunkers.packing import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docrag.chunkers.blocks import Block
    from docrag.chunkers.packing import Span

#: Most characters of a table's header that is repeated beside its later rows.
LONGEST_HEADER = 200
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CELL = re.compile(r"\s*\|\s*")


def units_of(text: str, block: Block, size: int) -> list[Span]:
    """The units of a block that is no table, in order, each at most ``size`` characters long.

    A code block or a list item that fits is one unit; a sentence is one otherwise.

    :param text: the text of the flow.
    """
    if block.kind == "text":
        found = _sentences(text, block, size)
    elif block.kind == "code" and block.end - block.start <= size:
        found = [(block.start, block.end)]
    else:
        found = [(line.start, line.end) for line in block.lines]
    return [piece for start, end in found for piece in cut(text, start, end, size=size)]


def rows_of(text: str, block: Block, size: int) -> tuple[list[Span], str]:
    """The units of a table, and its header for those behind the first.

    A table that fits is one unit; otherwise a row is one, the first with what stands above it.
    The header is empty where the table does not show one.
    """
    if block.end - block.start <= size:
        return [(block.start, block.end)], ""
    lines = block.lines
    above = next((n for n, line in enumerate(lines[:3]) if is_rule(line.text)), None)
    first = 0 if above is None else min(above + 1, len(lines) - 1)
    if lines[first].end - lines[0].start > size:
        first = 0
    spans_ = [(lines[0].start, lines[first].end)]
    spans_ += [(line.start, line.end) for line in lines[first + 1 :]]
    pieces = [piece for start, end in spans_ for piece in cut(text, start, end, size=size)]
    return pieces, _header(lines[above - 1].text) if above else ""


def _header(row: str) -> str:
    cells = " | ".join(cell for cell in _CELL.split(row[: 2 * LONGEST_HEADER]) if cell)
    return cells if len(cells) <= LONGEST_HEADER else f"{cells[: LONGEST_HEADER - 1]}…"


def _sentences(text: str, block: Block, size: int) -> list[Span]:
    """Sentences of a text block, those of a list item put together if it fits."""
    base = block.start
    usual = usual_length(list(block.lines))
    found: list[Span] = []
    item: list[Span] = []
    for start, end in spans(text[base : block.end]):
        span = (base + start, base + end)
        before = (item or found)[-1][1] if item or found else None
        begins = before is None or "\n" in text[before : span[0]]
        if begins and ITEM.match(text, span[0]):
            found += _whole(item, size)
            item = [span]
        elif item and not (begins and _ends(text, item[-1], span, usual)):
            item.append(span)
        else:
            found += [*_whole(item, size), span]
            item = []
    return [*found, *_whole(item, size)]


def _whole(item: list[Span], size: int) -> Iterator[Span]:
    """An item as one span if it fits, otherwise its sentences."""
    if item and item[-1][1] - item[0][0] <= size:
        yield item[0][0], item[-1][1]
    else:
        yield from item


def _ends(text: str, before: Span, span: Span, usual: int) -> bool:
    """True if a list item has ended before a sentence at the beginning of a line."""
    if _BLANK_LINE.search(text, before[1], span[0]):
        return True
    line = before[1] - max(before[0], text.rfind("\n", before[0], before[1]) + 1)
    return line < SHORT * usual and not text[span[0]].islower()
