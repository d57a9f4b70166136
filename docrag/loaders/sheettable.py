"""The rows of a sheet as Markdown tables, each group of them below the head that names them."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from docrag.loaders.tables import line, rule

#: Letters of a group of rows with its head: as many as a chunk has by default.
GROUP: Final = 1000
#: Rows at the top in which a head is looked for; a title and a date often stand above it.
_TOP = 10
#: Rows behind an empty one that may stand above the head of a further table.
_TITLES = 2
#: A number, a day, an hour or a share, which names no column.
_FIGURE = re.compile(r"[%+-]?\d[\d.,:/ -]*%?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a sheet with text."""

    texts: list[str]
    #: True if an empty row stands before it.
    apart: bool = False
    #: Places of cells that a merged cell to their left covers.
    covered: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Group:
    """Lines of a Markdown table while they are collected."""

    head: str
    lines: list[str]
    size: int = 0
    filled: bool = field(default=False)

    def full(self, text: str) -> bool:
        """True if a line more would be too much."""
        return self.filled and self.size + len(text) > GROUP

    def add(self, text: str) -> None:
        """Put a row below the others."""
        self.lines.append(text)
        self.size, self.filled = self.size + len(text) + 1, True


def groups(rows: Iterator[Row]) -> Iterator[str]:
    """The rows as Markdown tables of about `GROUP` letters, each below the head of its table.

    A further table begins behind an empty row where a row of names stands above figures.
    """
    ahead = deque(islice(rows, _TOP))
    if not ahead:
        return
    group = _begun(ahead, _head([row.texts for row in ahead]))
    while True:
        ahead.extend(islice(rows, max(0, _TITLES + 2 - len(ahead))))
        if not ahead:
            break
        at = _further(list(islice(ahead, _TITLES + 2))) if ahead[0].apart else -1
        if at >= 0:
            yield "\n".join(group.lines)
            group = _begun(ahead, at)
            continue
        text = line(ahead.popleft().texts)
        if group.full(text):
            yield "\n".join(group.lines)
            group = _Group(head=group.head, lines=[group.head], size=len(group.head))
        group.add(text)
    yield "\n".join(group.lines)


def _begun(ahead: deque[Row], at: int) -> _Group:
    """A table with its title and head, which are taken from the rows."""
    above = [" ".join(filter(None, ahead.popleft().texts)) for _ in range(at)]
    names = ahead.popleft()
    texts = names.texts
    if names.covered and ahead and _names(ahead[0], names.covered):
        texts = _joined(names, ahead.popleft())
    head = "\n".join([line(texts), rule(len(texts))])
    lines = [*above, "", head] if above else [head]
    return _Group(head=head, lines=lines, size=sum(map(len, lines)))


def _names(row: Row, covered: frozenset[int]) -> bool:
    """True for a second row of a head: names below a cell that was merged across."""
    return not _figures(row.texts) and all(row.texts[at] for at in covered)


def _joined(upper: Row, lower: Row) -> list[str]:
    """Two rows of a head as one: ``Gürültü min``, ``Gürültü maks``."""
    names: list[str] = []
    group = ""
    for at, (above, below) in enumerate(zip(upper.texts, lower.texts, strict=True)):
        group = group if at in upper.covered else above
        names.append(group if below == group else f"{group} {below}".strip())
    return names


def _head(rows: Sequence[Sequence[str]]) -> int:
    """The row that names the columns: the first near the top that fills half of them, or row 0."""
    for at, row in enumerate(rows):
        texts = sum(map(bool, row))
        if 2 * texts >= len(row) and (texts > 1 or len(row) == 1):
            return at
    return 0


def _further(rows: Sequence[Row]) -> int:
    """The row that names the columns of a further table; -1 if the rows belong to the one before.

    Above it only titles stand, and below one of its names a figure does.
    """
    for at, (row, below) in enumerate(zip(rows, rows[1:], strict=False)):
        filled = sum(map(bool, row.texts))
        if _figures(row.texts):
            break
        if filled > 1:
            named = {place for place, text in enumerate(row.texts) if text}
            return at if named & _figures(below.texts) else -1
    return -1


def _figures(texts: Sequence[str]) -> set[int]:
    """Places of the cells that hold a figure."""
    return {at for at, text in enumerate(texts) if _FIGURE.fullmatch(text)}
