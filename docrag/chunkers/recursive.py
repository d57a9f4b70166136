"""Chunker that packs whole sentences, and cuts only a sentence that is too long by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from docrag.api import Chunk, spans
from docrag.chunkers.limits import check_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docrag.api import Page

#: Changes when the way of cutting changes, so that stored chunks are made again.
VERSION = "v1"
#: Start and end within a page, characters.
Span: TypeAlias = tuple[int, int]
_VISIBLE = re.compile(r"\S")


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
            for start, end in self._packed(self._units(page.text)):
                yield Chunk(
                    ordinal=ordinal,
                    text=page.text[start:end],
                    page_first=page.number,
                    page_last=page.number,
                    section=page.section,
                )
                ordinal += 1

    def _packed(self, units: Iterable[Span]) -> Iterator[Span]:
        """Runs of units that fit; each run begins with the end of the one before."""
        run: list[Span] = []
        for unit in units:
            if run and unit[1] - run[0][0] > self._size:
                yield run[0][0], run[-1][1]
                run = self._repeated(run, unit)
            run.append(unit)
        if run:
            yield run[0][0], run[-1][1]

    def _repeated(self, run: list[Span], unit: Span) -> list[Span]:
        """Last units of a run, never all, that fit into the overlap and beside the next unit."""
        end = run[-1][1]
        return [
            kept
            for kept in run[1:]
            if end - kept[0] <= self._overlap and unit[1] - kept[0] <= self._size
        ]

    def _units(self, text: str) -> Iterator[Span]:
        for start, end in spans(text):
            yield from self._cut(text, start, end)

    def _cut(self, text: str, start: int, end: int) -> Iterator[Span]:
        """One sentence, in pieces of at most ``size`` characters, cut at blanks where there are."""
        while end - start > self._size:
            full = start + self._size
            head = text[start : full + 1]
            kept = len(head[: len(head.rstrip())]) if head[-1].isspace() else _last_blank(head)
            place = start + kept if kept else full
            yield start, start + len(text[start:place].rstrip())
            following = _VISIBLE.search(text, place, end)
            start = following.start() if following else end
        yield start, end


def _last_blank(head: str) -> int:
    """Place of the last blank, 0 if there is none."""
    return next((place for place in range(len(head) - 1, 0, -1) if head[place].isspace()), 0)
