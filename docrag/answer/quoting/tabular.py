"""Tables in the text of a source: each row with the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Final

from docrag.answer.quoting.items import form, introduces

#: A border between cells of a Markdown row; one that belongs to the text has a backslash.
_PIPE: Final = re.compile(r"(?<!\\)\|")
#: Below the head of a Markdown table.
_RULE: Final = re.compile(r":?-{3,}:?")
#: Between columns that are set with blanks.
_WIDE: Final = re.compile(r"\t+| {2,}")
#: Fewest columns that make lines set with blanks a table; two may be a name and what it is.
_LEAST_COLUMNS: Final = 3
#: Fewest lines with figures that are rows though nothing parts their cells, and the longest one,
#: characters; a line of text is longer.
_LEAST_ENTRIES: Final = 2
_LONGEST_ENTRY: Final = 80
#: Last signs of a sentence and of a line that goes on.
_STOPS: Final = frozenset(".!?,;:…-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table, and where it stands in the text, characters."""

    start: int
    end: int
    #: As it is read aloud: ``Kıdem: 1 yıl; İzin: 15 iş günü``; the bare cells without a head.
    text: str
    #: True for the names of the columns, or the rule below them.
    is_head: bool
    #: True for such names that the rows do not tell, since nothing parts their cells.
    is_bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    start: int
    end: int
    #: ``pipe``, ``wide`` or empty for a line without cells.
    kind: str
    #: The whole line where it has no cells.
    cells: tuple[str, ...]


def rows(text: str) -> list[Row]:
    """The rows of all tables of a text, in order; none without a table.

    Markdown tables, of which a passage may hold rows without the head, and lines of three columns
    or more that are set with two blanks or a tab between them. Where the blanks are lost, the short
    lines with figures below a sentence that announces them ("… aşağıdadır.").
    """
    found: list[Row] = []
    for (kind, width), group in groupby(_lines(text), key=lambda line: (line.kind, _width(line))):
        lines = list(group)
        if kind == "pipe":
            found += _markdown(lines)
        elif kind == "wide" and width >= _LEAST_COLUMNS and len(lines) > 1:
            found += _set(lines)
        elif not kind:
            found += _announced(lines)
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
    return tuple(part.strip() for part in _WIDE.split(line)) if kind else (line,)


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


def _announced(lines: Sequence[_Line]) -> Iterator[Row]:
    """Short lines below those that announce them; the first is the head if it holds no figure."""
    for at, line in enumerate(lines):
        if not introduces(line.cells[0]):
            continue
        entries = list(takewhile(_is_entry, lines[at + 1 :]))
        behind = lines[at + 1 + len(entries) :]
        if entries and behind and behind[0].cells[0][:1].islower():
            entries.pop()  # a sentence that is wrapped
        head, body = entries[:1], entries[1:]
        if entries and _has_figure(entries[0]):
            head, body = [], entries
        if len(body) < _LEAST_ENTRIES or not all(map(_has_figure, body)):
            continue
        for one in (*head, *body):
            is_head = one in head
            yield replace(_row(one, (), is_head=is_head), is_bare=is_head)


def _is_entry(line: _Line) -> bool:
    """True for a line that may be a row: short, and neither a sentence nor an item."""
    text = line.cells[0]
    begins = text[:1].isupper() or text[:1].isdigit()
    ends = text[-1:] not in _STOPS
    return begins and ends and len(text) <= _LONGEST_ENTRY and form(text) is None


def _has_figure(line: _Line) -> bool:
    return any(map(str.isdigit, line.cells[0]))


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
