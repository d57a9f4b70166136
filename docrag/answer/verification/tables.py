"""Rows of a source's tables, and whether what a claim says of one stands in one row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

from docrag.answer.verification.claim import Claim, keys
from docrag.answer.verification.endings import same
from docrag.answer.verification.line import Line
from docrag.answer.verification.number import Number
from docrag.answer.verification.numbers import numbers
from docrag.answer.verification.tokens import Token, tokens
from docrag.answer.verification.units import is_amount

#: What parts cells: a stroke, or the wide gap of a text without strokes.
_BETWEEN: Final = re.compile(r"\s*\|\s*|\s{2,}|\t")
#: The line below a Markdown table's head.
_RULE: Final = re.compile(r"[\s|:-]+")
#: Fewest rows of a table, its head among them.
FEWEST: Final = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row."""

    tokens: tuple[Token, ...]
    numbers: tuple[Number, ...]
    keys: frozenset[str]


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    """What a claim says that only rows of a table hold."""

    kind: str
    written: str
    #: Row and column of each cell that holds it.
    cells: frozenset[tuple[int, int]]

    @property
    def rows(self) -> frozenset[int]:
        return frozenset(row for row, _ in self.cells)

    @property
    def columns(self) -> frozenset[int]:
        return frozenset(column for _, column in self.cells)


def of_text(text: str) -> list[tuple[Row, ...]]:
    """The tables of a text, each with its head as its first row; none for most texts."""
    lines = [line.strip() for line in text.split("\n")]
    kept = [line for line in lines if line and not _RULE.fullmatch(line)]
    rows = [[cell for cell in _BETWEEN.split(line.strip("| ")) if cell] for line in kept]
    groups = [list(group) for width, group in groupby(rows, key=len) if width > 1]
    return [tuple(map(_row, group)) for group in groups if len(group) >= FEWEST]


def _row(cells: Sequence[str]) -> Row:
    read = [(cell, tokens(cell)) for cell in cells]
    return tuple(
        Cell(
            tuple(found), tuple(numbers(cell, found)),
            frozenset(key for token in found for key in keys(token)),
        )
        for cell, found in read
    )  # fmt: skip


def crossed(claim: Claim, lines: Sequence[Line], tables: Sequence[tuple[Row, ...]]) -> Iterator[
    tuple[str, str]
]:  # fmt: skip
    """Kind and text of what a claim takes from another row than the rest of it."""
    for table in tables:
        items = [item for item in _items(claim, lines, table) if item.cells]
        for item in items:
            if any(_is_crossed(item, other, items) for other in items if other is not item):
                yield item.kind, item.written


def _is_crossed(item: _Item, other: _Item, items: Sequence[_Item]) -> bool:
    """True if neither the other item nor one of its columns stands in a row of the item."""
    if item.columns & other.columns:
        return False
    beside = [one for one in items if one.columns & other.columns]
    return not any(item.rows & one.rows for one in beside)


def _items(claim: Claim, lines: Sequence[Line], table: Sequence[Row]) -> Iterator[_Item]:
    prose = [line for line in lines if "|" not in line.text and "  " not in line.text]
    for number in claim.numbers:
        if not any(is_amount(number, other) for line in prose for other in line.numbers):
            yield _Item("number", number.written, _cells(table, partial(_has, number=number)))
    outside = frozenset(key for line in prose for told in line.keys for key in told)
    outside |= frozenset(key for cell in table[0] for key in cell.keys)
    for word in claim.words:
        if word.keys.isdisjoint(outside):
            yield _Item("coverage", word.written, _rare(table, word.keys))
    said = frozenset(token.folded for line in prose for token in line.tokens)
    for name in (name for mention in claim.mentions for name in mention.names):
        if not any(same(name.folded, word) for word in said):
            yield _Item("name", name.written, _cells(table, partial(_naming, folded=name.folded)))


def _has(cell: Cell, number: Number) -> bool:
    return any(is_amount(number, other) for other in cell.numbers)


def _rare(table: Sequence[Row], told: frozenset[str]) -> frozenset[tuple[int, int]]:
    """Cells that hold a word; none for one that most rows have."""
    found = _cells(table, lambda cell: not told.isdisjoint(cell.keys))
    return found if 2 * len({row for row, _ in found}) <= len(table) else frozenset()


def _naming(cell: Cell, folded: str) -> bool:
    return any(same(folded, token.folded) for token in cell.tokens)


def _cells(table: Sequence[Row], holds: Callable[[Cell], bool]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (at, column)
        for at, row in enumerate(table)
        if at
        for column, cell in enumerate(row)
        if holds(cell)
    )
