"""Citations made by hand."""

from __future__ import annotations

from docrag.answer.context import number
from docrag.api import Citation, ScoredChunk, StoredChunk


def chunk(
    chunk_id: int, text: str, *, page: int | None = 1, document: str = "d1", section: str = ""
) -> ScoredChunk:
    """A retrieved chunk."""
    stored = StoredChunk(
        chunk_id=chunk_id,
        document_id=document,
        title="Talimat",
        filename="talimat.pdf",
        ordinal=chunk_id,
        text=text,
        page_first=page,
        page_last=page,
        section=section,
    )
    return ScoredChunk(chunk=stored, score=1.0 / chunk_id)


def source(place: int, text: str) -> Citation:
    """The citation with this number, page and text."""
    others = [chunk(n, "x", page=n) for n in range(1, place)]
    return number([*others, chunk(place, text, page=place)])[-1]
