"""A numbered source of an answer."""

from __future__ import annotations

from dataclasses import dataclass

from docrag.joining import joined
from docrag.types import Article, StoredChunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A numbered source: one page (or section) of a document and its retrieved chunks."""

    #: From 1, fixed at retrieval; the same in prompt, answer, API, log and page.
    number: int
    document_id: str
    title: str
    filename: str
    page_first: int | None
    page_last: int | None
    section: str
    #: The permitted chunks that this number stands for, in reading order.
    chunks: tuple[StoredChunk, ...]
    #: Ids of those chunks that no search found, put in since they stand beside one that was found.
    neighbours: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        """The text of this source in reading order, without what its chunks repeat of each other.

        A line with ``…`` stands where text between two chunks is left out.
        """
        return joined((chunk.ordinal, chunk.text) for chunk in self.chunks)

    @property
    def label(self) -> str:
        """What a person reads: file name with page or section, and the article if it is one."""
        status = self.article.status if self.article else ""
        repealed = f" ({status.replace('mulga', 'mülga')})" if status else ""
        if self.page_first is None:
            place = f"{self.filename} ({self.section})" if self.section else self.filename
            return place if repealed in self.section else f"{place}{repealed}"
        last = "" if self.page_last in (None, self.page_first) else f"-{self.page_last}"
        article = f", {self.article.name}{repealed}" if self.article else ""
        return f"{self.filename} s. {self.page_first}{last}{article}"

    @property
    def article(self) -> Article | None:
        """The article that all chunks are of; ``None`` for several, or for none."""
        articles = {(chunk.article and chunk.article.name): chunk.article for chunk in self.chunks}
        return next(iter(articles.values())) if len(articles) == 1 else None

    @property
    def repealed(self) -> tuple[str, ...]:
        """Names of the articles in it that are no longer in force, in reading order."""
        articles = (chunk.article for chunk in self.chunks)
        return tuple(dict.fromkeys(item.name for item in articles if item and item.status))
