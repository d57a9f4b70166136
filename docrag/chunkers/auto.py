"""Chunker that chooses for each document: by articles for a law, by its structure otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrag.chunkers.legal import LegalChunker, finds_law
from docrag.chunkers.limits import check_limits
from docrag.chunkers.structure import StructureChunker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docrag.api import Chunk, Page


class AutoChunker:
    """Cuts as ``legal_tr`` does where a document has articles, and as ``structure`` elsewhere."""

    def __init__(self, *, size: int = 1000, overlap: int = 150) -> None:
        """Build a chunker.

        :param size: most characters of a chunk, 50 or more.
        :param overlap: most characters of whole sentences that a chunk repeats of the one before
            where there are no articles, 0 to half of size.
        :raises SettingsError: a value is out of its range.
        """
        check_limits("auto", size=size, overlap=overlap)
        self._legal = LegalChunker(size=size, overlap=overlap)
        self._structure = StructureChunker(size=size, overlap=overlap)
        # Changes with either, so that stored chunks are made again.
        self.fingerprint = f"auto({self._legal.fingerprint},{self._structure.fingerprint})"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages.

        All pages are read before the first chunk is given.
        """
        read = list(pages)
        chosen = self._legal if finds_law(read) else self._structure
        return chosen.split(read)
