"""How wide a line of text is on paper, which tells where a paragraph without a number ends."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from statistics import median
from typing import TYPE_CHECKING

from docrag.chunkers.legal_lines import BODY, HEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line

#: Lines that widths are taken from; more change nothing.
SAMPLE = 4000
#: Share of the lines, sorted by width, that are not wider than a full one; few stick out.
_FULL = 0.97
#: Least indent of a paragraph's first line that counts as one, parts of a full line.
_MIN_INDENT = 0.03
#: Part of a full line below which a line is a title or the last one of a paragraph.
_MIN_PART = 0.75
#: Lines of each kind that an indent is taken from.
_MIN_LINES = 10
#: Part of a full line that surely is free, 0 to 1: letters differ from font to font.
_TOLERANCE = 0.975
#: Widths of letters in Times, thousandths of the size, from Adobe's font metrics (AFM); Turkish
#: letters are as wide as those without marks.
_WIDTHS = {
    **dict.fromkeys(" .,", 250),
    **dict.fromkeys("iıjlt:;/", 278),
    **dict.fromkeys("Iİfr()[]-’‘'", 333),
    **dict.fromkeys("sşJ", 389),
    **dict.fromkeys('aâcçez“”"?', 444),
    **dict.fromkeys("FPSŞ", 556),
    **dict.fromkeys("BCÇELRTZ", 630),
    **dict.fromkeys("ADGĞHKNOÖQUÜVXYw", 722),
    "m": 778,
    "M": 889,
    "W": 944,
}
#: Every other sign: most small letters and all digits.
_OTHER = 500
_WORD = re.compile(r"\S+")
#: End of a sentence, which a footnote's number may follow, and the characters that it may take.
_STOP = re.compile(r"[.!?:;,][”\"’»)]?[ \t]?(?:\(?\d{1,3}\)?){0,3}$")
_TAIL = 14


def width_of(text: str) -> int:
    """Width in thousandths of the font's size."""
    return sum(_WIDTHS.get(sign, _OTHER) for sign in text)


class Measure:
    """Knows the lines of one document; what it needs is taken at the first question."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._full = 0
        self._indent = -1.0

    def fits(self, text: str, following: str, *, indented: bool = False) -> bool:
        """True if the first word of the next line had room in a line: it was ended on purpose.

        :param indented: the line is the first of a paragraph.
        """
        word = _WORD.match(following[:HEAD])
        if len(text) > HEAD or word is None:
            return False
        needed = self.part(text) + self.part(f" {word[0]}") + (self.indent if indented else 0)
        return needed < _TOLERANCE

    def part(self, text: str) -> float:
        """Width as a part of a full line, 0 and up."""
        if not self._full:
            widths = sorted(width_of(text) for text in self._sample())
            self._full = widths[int(_FULL * (len(widths) - 1))] if widths else 1
        return width_of(text[: 2 * HEAD]) / self._full

    @property
    def indent(self) -> float:
        """How far the first lines of paragraphs are indented, parts of a full line; 0 for not."""
        if self._indent < 0:
            self._indent = 0.0  # asked below, where it does not count
            self._indent = self._measured()
        return self._indent

    def _measured(self) -> float:
        first: list[float] = []
        inner: list[float] = []
        texts = self._sample()
        for before, text in pairwise(texts):
            if _STOP.search(text[-_TAIL:]) or self.part(text) < _MIN_PART:
                continue
            if not _STOP.search(before[-_TAIL:]):
                inner.append(self.part(text))
            elif text[0].isupper() and self.fits(before, text):
                first.append(self.part(text))
        if min(len(first), len(inner)) < _MIN_LINES:
            return 0.0
        found = median(inner) - median(first)
        return found if found >= _MIN_INDENT else 0.0

    def _sample(self) -> list[str]:
        body = (line.text[: 2 * HEAD] for line in self._lines if line.role == BODY)
        return list(islice(body, SAMPLE))
