"""Chunker that packs whole sentences, and cuts only a sentence that is too long by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrag.api import Chunk, spans
from docrag.chunkers.limits import check_limits
from docrag.chunkers.packing import cut, packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docrag.api import Page
    from docrag.chunkers.packing import Span

#: Changes when the way of cutting changes, so that stored chunks are made again.
VERSION = "v1"


class RecursiveChunker:
    """Fills chunks of at most ``size`` characters with whole sentences, never across a page."""

    def __init__(self, *, size: int = 1000, overlap: int = 150) -> None:
        """Build a chunker.

        :param size: most characters of a chunk, 50 or more.
        :param overlap: most characters of whole sentences that a chunk repeats of the one before,
            0 to half of size.
        :raises SettingsError: a value is out of its range.
        """
        check_limits("recursive", size=size, overlap=overlap)
        self._size = size
        self._overlap = overlap
        self.fingerprint = f"recursive/{size}/{overlap}/{VERSION}"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages."""
        ordinal = 0
        for page in pages:
            units = self._units(page.text)
            for start, end in packed(units, size=self._size, overlap=self._overlap):
                yield Chunk(
                    ordinal=ordinal,
                    text=page.text[start:end],
                    page_first=page.number,
                    page_last=page.number,
                    section=page.section,
                )
                ordinal += 1

    def _units(self, text: str) -> Iterator[Span]:
        for start, end in spans(text):
            yield from cut(text, start, end, size=self._size)
