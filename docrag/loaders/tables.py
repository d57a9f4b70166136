"""Tables as Markdown, which people and chunkers read alike."""

from __future__ import annotations

from collections.abc import Sequence

#: Longest text of a cell that is told again in each row that the cell spans, characters.
MOST_REPEATED = 200


def repeatable(text: str) -> str:
    """The text of a cell for the next row that it spans; empty for a long one."""
    return text if len(text) <= MOST_REPEATED else ""


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a Markdown table whose head is the first row; empty without any text.

    Rows and columns without text are left out. What is empty at the end of a short row is filled.
    """
    kept = filled(rows)
    if not kept:
        return ""
    head, *body = (line(row) for row in kept)
    return "\n".join([head, rule(len(kept[0])), *body])


def filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Rows of equal length, each cell on one line, without the rows and columns that are empty."""
    clean = [[" ".join(cell.split()) for cell in row] for row in rows]
    used = sorted({at for row in clean for at, cell in enumerate(row) if cell})
    return [[row[at] if at < len(row) else "" for at in used] for row in clean if any(row)]


def line(cells: Sequence[str]) -> str:
    """One row of a Markdown table; each cell is on one line already."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def rule(columns: int) -> str:
    """What stands below the head of a Markdown table."""
    return "|" + "---|" * columns
