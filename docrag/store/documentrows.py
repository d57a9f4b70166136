"""Rows of documents as records."""

from __future__ import annotations

from datetime import date

from docrag.api import ADMIN_ROLE
from docrag.store.permission import today
from docrag.store.records import Document, DocumentState
from docrag.store.tables import DocumentRow


def document_of(row: DocumentRow) -> Document:
    """The record of a row."""
    ready = row.state in (DocumentState.READY.value, DocumentState.READY_WITH_WARNINGS.value)
    first, last, now = row.valid_from or date.min, row.valid_to or date.max, today()
    return Document(
        id=str(row.public_id),
        title=row.title,
        filename=row.filename,
        suffix=row.suffix,
        sha256=row.sha256,
        size=row.size,
        state=DocumentState(row.state),
        error=row.error,
        warnings=tuple(row.warnings),
        pages=row.n_pages,
        chunks=row.n_chunks,
        roles=tuple(role for role in row.allowed_roles if role != ADMIN_ROLE),
        version=row.version,
        created_at=row.created_at,
        series=str(row.series),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        given_to=row.given_to,
        in_force=ready and first <= now <= last,
        source=row.source,
    )
