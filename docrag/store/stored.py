"""Chunks as the store returns them: the columns that are read, and the record of a row."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Row

from docrag.api import Article, StoredChunk

#: Columns of ``chunks`` that a :class:`StoredChunk` is made of, besides its id and its document.
FIELDS: Final = (
    "ordinal", "text", "page_first", "page_last", "section", "label", "page_breaks",
    "article_kind", "article_number", "paragraph_first", "paragraph_last", "status",
)  # fmt: skip


def columns(alias: str) -> str:
    """SQL of :data:`FIELDS` for a table of this name."""
    return ", ".join(f"{alias}.{name}" for name in FIELDS)


def stored_chunk(row: Row[Any]) -> StoredChunk:
    """The chunk of a row that has ``id``, ``document_id`` (public), ``title``, ``filename`` and
    :data:`FIELDS`.
    """
    return StoredChunk(
        chunk_id=row.id,
        document_id=row.document_id,
        title=row.title,
        filename=row.filename,
        ordinal=row.ordinal,
        text=row.text,
        page_first=row.page_first,
        page_last=row.page_last,
        section=row.section,
        label=row.label,
        page_breaks=tuple(row.page_breaks),
        article=_article(row),
    )


def _article(row: Row[Any]) -> Article | None:
    if row.article_kind is None:
        return None
    return Article(
        kind=row.article_kind,
        number=row.article_number,
        paragraph_first=row.paragraph_first,
        paragraph_last=row.paragraph_last,
        status=row.status,
    )
