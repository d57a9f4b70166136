"""Rows of a document that comes in."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from docrag.api import DocumentError, DuplicateDocument
from docrag.store.contents import check_text
from docrag.store.records import DocumentState, NewVersion
from docrag.store.roles import required_roles
from docrag.store.series import Place, place
from docrag.store.tables import DocumentFileRow, DocumentRoleRow, DocumentRow, JobRow


def arrive(
    session: Session,
    *,
    filename: str,
    title: str,
    suffix: str,
    data: bytes,
    roles: Collection[str],
    uploaded_by: int | None,
    version: NewVersion,
) -> tuple[DocumentRow, JobRow]:
    """Rows of a queued document, its file and roles, and of the job that will read it.

    :param title: empty for that of the version which it replaces.
    :param roles: none for those of the version which it replaces.
    :raises DuplicateDocument: the same bytes are stored already.
    :raises DocumentNotFound: there is no document that it could replace.
    :raises UnknownName: a role is unknown or retired.
    :raises DocumentError: no roles, or a name that cannot be stored.
    """
    at = place(session, version.replaces) if version.replaces else None
    named = title or (at.title if at else "")
    for label, value in (("file name", filename), ("title", named), ("suffix", suffix)):
        check_text(value, f"the {label}", filled=True)
    allowed = roles or (at.roles if at else ())
    if not allowed:
        raise DocumentError(f"{filename!r} has no roles; name at least one that may read it")
    names = required_roles(session, allowed)
    values = {"filename": filename, "title": named, "suffix": suffix, "uploaded_by": uploaded_by}
    row = _insert(session, data, {**values, **_belonging(version, at)})
    job = JobRow(document_id=row.id)
    session.add(DocumentFileRow(document_id=row.id, data=data))
    session.add_all(DocumentRoleRow(document_id=row.id, role=role) for role in names)
    session.add(job)
    session.flush()
    session.refresh(row)
    session.refresh(job)
    return row, job


def _belonging(version: NewVersion, at: Place | None) -> dict[str, object]:
    """Columns that say which document it is a version of, and when it is in force."""
    found: dict[str, object] = {
        "source": version.source,
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "given_to": version.valid_to,
    }
    return found | ({"series": at.series, "version": at.version} if at else {})


def _insert(session: Session, data: bytes, values: dict[str, object]) -> DocumentRow:
    """A new row for a file.

    :param values: columns but those of the file itself.
    :raises DuplicateDocument: the same bytes are stored already.
    """
    digest = hashlib.sha256(data).hexdigest()
    query = insert(DocumentRow).values(sha256=digest, size=len(data), **values)
    new: DocumentRow | None = session.scalar(
        query.on_conflict_do_nothing(
            index_elements=["sha256"], index_where=text("state <> 'failed'")
        ).returning(DocumentRow)
    )
    if new is None:
        stored = (DocumentRow.sha256 == digest, DocumentRow.state != DocumentState.FAILED.value)
        existing = session.scalar(select(DocumentRow.public_id).where(*stored))
        raise DuplicateDocument(str(existing), str(values["filename"]))
    return new
