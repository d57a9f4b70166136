"""The context of an answer: retrieved chunks, numbered once by page and packed into a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from docrag.api import Citation, ScoredChunk, StoredChunk, spans

#: Where a citation points to: document, first and last page, and section where there are no pages.
Place: TypeAlias = tuple[str, int | None, int | None, str]
#: Characters of Turkish text that one token holds at the least on average over common models.
CHARACTERS_PER_TOKEN = 2.5


def estimate_tokens(text: str) -> int:
    """Tokens that a text takes in a prompt, estimated on the safe side."""
    return int(len(text) / CHARACTERS_PER_TOKEN) + 1


def place(chunk: StoredChunk) -> Place:
    """Where a citation of this chunk points to; chunks of one place share a number."""
    section = chunk.section if chunk.page_first is None else ""
    return (chunk.document_id, chunk.page_first, chunk.page_last, section)


def by_page(chunk: StoredChunk) -> Iterator[StoredChunk]:
    """The chunk, or its part of each page where it has several: a citation names one page.

    A sentence that runs over the end of a page belongs to the page on which it begins.
    """
    starts = [start for start, _ in spans(chunk.text)] if chunk.page_breaks else []
    if not starts:
        yield chunk
        return
    pages = [chunk.page_at(start) for start in starts]
    begins = [0, *(at for at, page in enumerate(pages) if at and page != pages[at - 1])]
    ends = [*(starts[at] for at in begins[1:]), len(chunk.text)]
    for at, end in zip(begins, ends, strict=True):
        text = chunk.text[starts[at] : end].rstrip()
        page = pages[at]
        yield replace(chunk, text=text, page_first=page, page_last=page, page_breaks=())


def number(chunks: Sequence[ScoredChunk], *, first: int = 1) -> tuple[Citation, ...]:
    """Numbered sources in order of their best chunk; what stands in one place shares a number.

    :param chunks: retrieved chunks, best first.
    :param first: number of the first source; a front end that shows sources of its own counts on.
    :returns: citations numbered from it, their chunks in reading order; empty for no chunks.
    """
    groups: dict[Place, list[StoredChunk]] = {}
    for scored in chunks:
        for part in by_page(scored.chunk):
            groups.setdefault(place(part), []).append(part)
    return tuple(
        cite(position, group) for position, group in enumerate(groups.values(), start=first)
    )


def cite(position: int, group: Sequence[StoredChunk]) -> Citation:
    """A source with this number.

    :param group: its chunks, all of one place, at least one.
    """
    first = group[0]
    return Citation(
        number=position,
        document_id=first.document_id,
        title=first.title,
        filename=first.filename,
        page_first=first.page_first,
        page_last=first.page_last,
        section=first.section,
        chunks=tuple(sorted(group, key=lambda chunk: chunk.ordinal)),
    )
