"""The words of a page as Tesseract lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

#: Height, as a share of the page's usual word, and confidence, 0 to 100, below both of which a word
#: is dirt. Measured: dirt has at most 0.23 and 31, a dash 0.15 and 89.
SPECK_HEIGHT, SPECK_CONFIDENCE = 0.25, 40.0
#: Columns of Tesseract's table: block, paragraph and line tell lines apart.
_COLUMNS, _LINE, _BOX, _CONFIDENCE, _TEXT = 12, slice(2, 5), slice(6, 10), 10, 11
_HEADER: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of Tesseract's table; its box is in pixels from the top left."""

    line: tuple[str, ...]
    left: int
    top: int
    width: int
    height: int
    #: 0 to 100.
    confidence: float
    text: str


def words(table: str) -> list[Word]:
    """The words of a table in reading order, without dirt; empty for an empty page."""
    return _without_specks(list(_rows(table)))


def text(words: Sequence[Word]) -> str:
    """The words as lines."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.text)
    return "\n".join(" ".join(line) for line in lines.values())


def _rows(table: str) -> Iterator[Word]:
    for row in table.split("\n")[_HEADER:]:
        cells = row.rstrip("\r").split("\t")
        if len(cells) == _COLUMNS and cells[_TEXT].strip():
            left, top, width, height = map(int, cells[_BOX])
            yield Word(
                line=tuple(cells[_LINE]),
                left=left,
                top=top,
                width=width,
                height=height,
                confidence=float(cells[_CONFIDENCE]),
                text=cells[_TEXT].strip(),
            )


def _without_specks(found: list[Word]) -> list[Word]:
    """The words but for dirt and rules that were read as letters: flat and doubtful."""
    usual = median(word.height for word in found) if found else 0
    return [
        word
        for word in found
        if word.confidence >= SPECK_CONFIDENCE or word.height >= SPECK_HEIGHT * usual
    ]
