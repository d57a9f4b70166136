"""Neighbouring pages of a document as one text that knows the page of each of its characters."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.api import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docrag.api import Article, Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Pages that go on from one to the next, joined by line ends."""

    #: The pages' texts as they are, joined by ``\\n``; the line end belongs to the page before.
    text: str
    #: Physical page that the text begins with; ``None`` for a format without pages.
    first: int | None
    #: Place in ``text`` where each page begins, characters, in order; never empty.
    starts: tuple[int, ...]
    #: Heading path that all pages share.
    section: str = ""

    def page_at(self, place: int) -> int | None:
        """Physical page of a character; ``None`` for a format without pages."""
        return None if self.first is None else self.first + self.index_at(place)

    def index_at(self, place: int) -> int:
        """Which of the flow's pages holds a character, from 0; of ``starts``, its begin."""
        return max(0, bisect_right(self.starts, place) - 1)

    def breaks(self, start: int, end: int) -> tuple[int, ...]:
        """Places in the text of a span, from its start, where further pages begin.

        :param end: place behind the last character, more than ``start``.
        """
        if self.first is None:
            return ()
        further = self.starts[self.index_at(start) + 1 : self.index_at(end - 1) + 1]
        return tuple(place - start for place in further)

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """The span without the blanks at its ends; both are ``start`` where all is blank."""
        piece = self.text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        return (first, start + len(piece.rstrip())) if first < end else (start, start)

    def chunk(
        self,
        start: int,
        end: int,
        *,
        ordinal: int,
        section: str | None = None,
        label: str = "",
        article: Article | None = None,
    ) -> Chunk:
        """The span as a chunk with its pages.

        :param end: place behind the last character; both ends should be visible characters, so
            that the pages are those of words.
        :param section: heading path; ``None`` for that of the flow.
        """
        return Chunk(
            ordinal=ordinal,
            text=self.text[start:end],
            page_first=self.page_at(start),
            page_last=self.page_at(end - 1),
            section=self.section if section is None else section,
            label=label,
            page_breaks=self.breaks(start, end),
            article=article,
        )


def flows(pages: Iterable[Page]) -> list[Flow]:
    """The pages as flows, in their order; no text is lost, and nothing is added but line ends.

    A page goes on with the one before if it has the same section and the next number (or the same
    one, for a page in parts). A page without a number is a flow of its own.
    """
    found: list[Flow] = []
    run: list[Page] = []
    for page in pages:
        if run and not _goes_on(run[-1], page):
            found.append(_flow(run))
            run = []
        run.append(page)
    return [*found, _flow(run)] if run else found


def _goes_on(before: Page, page: Page) -> bool:
    if before.number is None or page.number is None or before.section != page.section:
        return False
    return before.number <= page.number <= before.number + 1


def _flow(run: list[Page]) -> Flow:
    starts: list[int] = []
    place = 0
    for before, page in zip([None, *run], run, strict=False):
        if before is None or before.number != page.number:
            starts.append(place)
        place += len(page.text) + 1
    return Flow(
        text="\n".join(page.text for page in run),
        first=run[0].number,
        starts=tuple(starts),
        section=run[0].section,
    )
