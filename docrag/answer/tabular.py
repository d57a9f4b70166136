"""Tables in the text of a source: each row with the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

#: A border between cells of a Markdown row; one that belongs to the text has a backslash.
_PIPE: Final = re.compile(r"(?<!\\)\|")
#: Below the head of a Markdown table.
_RULE: Final = re.compile(r":?-{3,}:?")
#: Between columns that are set with blanks.
_WIDE: Final = re.compile(r"\t+| {2,}")
#: Fewest columns that make lines set with blanks a table; two may be a name and what it is.
_LEAST_COLUMNS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table, and where it stands in the text, characters."""

    start: int
    end: int
    #: As it is read aloud: ``Kıdem: 1 yıl; İzin: 15 iş günü``; the bare cells without a head.
    text: str
    #: True for the names of the columns, or the rule below them.
    is_head: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    start: int
    end: int
    #: ``pipe``, ``wide`` or empty for a line of no table.
    kind: str
    cells: tuple[str, ...]


def rows(text: str) -> list[Row]:
    """The rows of all tables of a text, in order; none without a table.

    Markdown tables, of which a passage may hold rows without the head, and lines of three columns
    or more that are set with two blanks or a tab between them.
    """
    found: list[Row] = []
    for (kind, width), group in groupby(_lines(text), key=lambda line: (line.kind, _width(line))):
        lines = list(group)
        if kind == "pipe":
            found += _markdown(lines)
        elif kind == "wide" and width >= _LEAST_COLUMNS and len(lines) > 1:
            found += _set(lines)
    return found


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        first = start + len(line) - len(line.lstrip())
        stripped = line.strip()
        kind = _kind(stripped)
        cells = _cells(stripped, kind)
        yield _Line(start=first, end=first + len(stripped), kind=kind, cells=cells)
        start = end + 1


def _kind(line: str) -> str:
    if line.startswith("|"):
        return "pipe"
    return "wide" if _WIDE.search(line) else ""


def _width(line: _Line) -> int:
    """Columns of a line that is set with blanks; Markdown rows stay together whatever they have."""
    return len(line.cells) if line.kind == "wide" else 0


def _cells(line: str, kind: str) -> tuple[str, ...]:
    if kind == "pipe":
        parts = _PIPE.split(line.strip("|") if not line.endswith("\\|") else line.lstrip("|"))
        return tuple(" ".join(part.replace("\\|", "|").split()) for part in parts)
    return tuple(part.strip() for part in _WIDE.split(line)) if kind else ()


def _markdown(lines: Sequence[_Line]) -> Iterator[Row]:
    """Rows of a Markdown table, or of several without a line between them."""
    head: tuple[str, ...] = ()
    for line, below in zip(lines, [*lines[1:], None], strict=True):
        is_rule = _is_rule(line)
        if below is not None and _is_rule(below) and not is_rule:
            head = line.cells
            yield _row(line, (), is_head=True)
        else:
            yield _row(line, head, is_head=is_rule)


def _set(lines: Sequence[_Line]) -> Iterator[Row]:
    """Rows set with blanks; the first is the head if it holds no figure."""
    first = lines[0]
    has_head = not any(sign.isdigit() for cell in first.cells for sign in cell)
    for line in lines:
        is_head = has_head and line is first
        yield _row(line, first.cells if has_head and not is_head else (), is_head=is_head)


def _row(line: _Line, head: Sequence[str], *, is_head: bool) -> Row:
    return Row(start=line.start, end=line.end, text=read(line.cells, head), is_head=is_head)


def read(cells: Sequence[str], head: Sequence[str]) -> str:
    """A row as it is read aloud; cells without text are left out.

    :param head: names of the columns; a column behind the last of them has none.
    """
    names = [*head, *[""] * len(cells)]
    told = [f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False)]
    return "; ".join(one for one, cell in zip(told, cells, strict=True) if cell)


def _is_rule(line: _Line) -> bool:
    return all(_RULE.fullmatch(cell) or not cell for cell in line.cells) and any(line.cells)
