"""A table of a web page while its cells are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from docrag.loaders.tables import filled, markdown, repeatable

#: Most columns and rows that one cell is spread over; more are a mistake or an attack.
MAX_SPAN = 50
#: Most cells that the spans of one table may add; those behind span nothing.
MAX_ADDED = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """A cell and how many columns and rows it spans."""

    text: str
    columns: int
    rows: int


@dataclass(slots=True)
class HtmlTable:
    """Collects the texts of cells; not for several threads."""

    rows: list[list[_Cell]] = field(default_factory=list)
    _added: int = 0

    def row(self) -> None:
        """Begin a row."""
        self.rows.append([])

    def cell(self, text: str, node: LexborNode) -> None:
        """Put a cell into the row.

        :param node: its element, which says how many columns and rows it spans.
        """
        if not self.rows:
            self.row()
        columns, rows = _span(node, "colspan"), _span(node, "rowspan")
        self._added += columns * rows - 1
        if self._added > MAX_ADDED:
            columns, rows = 1, 1
        self.rows[-1].append(_Cell(text=text, columns=columns, rows=rows))

    def text(self) -> str:
        """The table in Markdown, a cell that spans rows in each; plain text if it has one cell."""
        grid = filled(self._grid())
        if len(grid) == 1 and len(grid[0]) == 1:
            return next(cell.text.strip() for row in self.rows for cell in row if cell.text.strip())
        return markdown(grid)

    def _grid(self) -> list[list[str]]:
        grid: list[list[str]] = []
        reaching: dict[int, _Cell] = {}  # by column: what spans the rows below, with the rows left
        for cells in self.rows:
            line: list[str] = []
            below: dict[int, _Cell] = {}
            for cell in cells:
                _fill(line, reaching, below)
                _spread(cell, line, below)
            for column in sorted(reaching):
                if column >= len(line):
                    line += [""] * (column - len(line))
                    _fill(line, reaching, below)
            grid.append(line)
            reaching = below
        return grid


def _fill(line: list[str], reaching: dict[int, _Cell], below: dict[int, _Cell]) -> None:
    """Put what spans from above into the next columns of a row."""
    while len(line) in reaching:
        _spread(reaching[len(line)], line, below)


def _spread(cell: _Cell, line: list[str], below: dict[int, _Cell]) -> None:
    if cell.rows > 1:
        text = repeatable(cell.text)
        below[len(line)] = _Cell(text=text, columns=cell.columns, rows=cell.rows - 1)
    line += [cell.text, *[""] * (cell.columns - 1)]


def _span(node: LexborNode, name: str) -> int:
    value = (node.attributes.get(name) or "").strip()
    if not (value.isascii() and value.isdigit() and len(value) <= 9):  # noqa: PLR2004 - no bomb
        return 1
    return max(1, min(int(value), MAX_SPAN))
