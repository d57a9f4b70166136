"""Chunker that cuts every page into pieces of at most so many characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docrag.api import Chunk
from docrag.chunkers.limits import check_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docrag.api import Page

#: Changes when the way of cutting changes, so that stored chunks are made again.
VERSION = "v1"
_BLANK = re.compile(r"\s")


class FixedChunker:
    """Cuts at blanks after at most ``size`` characters, with overlap, never across a page."""

    def __init__(self, *, size: int = 1000, overlap: int = 150) -> None:
        """Build a chunker.

        :param size: most characters of a chunk, 50 or more.
        :param overlap: most characters that a chunk repeats of the one before, 0 to half of size.
        :raises SettingsError: a value is out of its range.
        """
        check_limits("fixed", size=size, overlap=overlap)
        self._size = size
        self._overlap = overlap
        self.fingerprint = f"fixed/{size}/{overlap}/{VERSION}"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages."""
        ordinal = 0
        for page in pages:
            for text in self._pieces(page.text.strip()):
                yield Chunk(
                    ordinal=ordinal,
                    text=text,
                    page_first=page.number,
                    page_last=page.number,
                    section=page.section,
                )
                ordinal += 1

    def _pieces(self, text: str) -> Iterator[str]:
        start = 0
        while start < len(text):
            end = self._end(text, start)
            piece = text[start:end].strip()
            if piece:
                yield piece
            if end == len(text):
                return
            start = self._next_start(text, end)

    def _end(self, text: str, start: int) -> int:
        """Place behind the last word that fits; within a word that is longer than half a chunk."""
        full = start + self._size
        if full >= len(text):
            return len(text)
        least = start + self._size // 2 + 1  # beyond any overlap, so every step goes forward
        for place in range(full, least, -1):
            if text[place].isspace():
                return place
        return full

    def _next_start(self, text: str, end: int) -> int:
        """Start of the first whole word within the overlap, else the end itself."""
        back = end - self._overlap
        if text[back - 1].isspace():
            return back
        blank = _BLANK.search(text, back, end)
        return blank.end() if blank else back
