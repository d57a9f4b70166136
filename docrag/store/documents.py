"""Documents: taken in, listed, read and deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docrag.api import (
    ADMIN_ROLE,
    DEFAULT_LANGUAGE,
    Access,
    AccessDenied,
    Chunk,
    DocumentError,
    DocumentNotFound,
    DuplicateDocument,
    Page,
    Vectors,
)
from docrag.store.approle import widen
from docrag.store.contents import Contents, check_text
from docrag.store.permission import permits, permitted_document, public_uuid
from docrag.store.records import Document, DocumentState, GramCounts, Job
from docrag.store.roles import required_roles
from docrag.store.runs import job_of
from docrag.store.sessions import Sessions, constraint_of
from docrag.store.tables import (
    DocumentFileRow,
    DocumentRoleRow,
    DocumentRow,
    JobRow,
    PageRow,
)


class Documents:
    """Creates, lists, fills and deletes documents; every read names its access."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(
        self,
        *,
        filename: str,
        title: str,
        suffix: str,
        data: bytes,
        roles: Collection[str],
        uploaded_by: int | None,
    ) -> tuple[Document, Job]:
        """A queued document with its file and the job that will read it, in one transaction.

        :param filename: name as the user gave it, without folders.
        :param suffix: lower-case suffix without the dot.
        :param roles: names of the roles that may read it, at least one; admin may always.
        :param uploaded_by: id of the user, ``None`` for the command line.
        :raises DuplicateDocument: the same bytes are stored already, and not as a failure.
        :raises UnknownName: a role is unknown or retired.
        :raises DocumentError: no roles, an empty name, or a name with characters that cannot be
            stored.
        """
        for label, value in (("file name", filename), ("title", title), ("suffix", suffix)):
            check_text(value, f"the {label}", filled=True)
        if not roles:
            raise DocumentError(f"{filename!r} has no roles; name at least one that may read it")
        with self._sessions.begin() as session:
            names = required_roles(session, roles)
            row = _insert(session, filename, title, suffix, data, uploaded_by)
            job = JobRow(document_id=row.id)
            session.add(DocumentFileRow(document_id=row.id, data=data))
            session.add_all(DocumentRoleRow(document_id=row.id, role=role) for role in names)
            session.add(job)
            session.flush()
            session.refresh(row)
            session.refresh(job)
            return document_of(row), job_of(job, row)

    def get(self, document_id: str, *, access: Access) -> Document:
        """One document.

        :raises DocumentNotFound: hidden, missing or malformed alike.
        """
        with self._sessions.begin(access=access) as session:
            return document_of(permitted_document(session, document_id, access))

    def pages(self, document_id: str, *, access: Access) -> list[Page]:
        """The text of a document as it was read, in reading order; nothing before it is ready.

        :raises DocumentNotFound: hidden, missing or malformed alike.
        """
        with self._sessions.begin(access=access) as session:
            row = permitted_document(session, document_id, access)
            query = select(PageRow).where(PageRow.document_id == row.id).order_by(PageRow.ordinal)
            return [
                Page(number=page.number, text=page.text, section=page.section, warning=page.warning)
                for page in session.scalars(query)
            ]

    def file(self, document_id: str) -> bytes:
        """The uploaded file, for the worker: without an access, so never for a request.

        :raises DocumentNotFound: missing or malformed.
        """
        query = select(DocumentFileRow.data).join(DocumentRow)
        with self._sessions.begin() as session:
            data = session.scalar(query.where(DocumentRow.public_id == public_uuid(document_id)))
        if data is None:
            raise DocumentNotFound(document_id)
        return data

    def set_roles(self, document_id: str, roles: Collection[str], *, access: Access) -> Document:
        """The document with these roles in place of the earlier ones, for every search from now on.

        :raises DocumentNotFound: hidden, missing or malformed alike.
        :raises AccessDenied: the access may read it but is not admin's.
        :raises UnknownName: a role is unknown or retired.
        :raises DocumentError: no roles.
        """
        if not roles:
            raise DocumentError("a document needs at least one role that may read it")
        with self._sessions.begin(access=access) as session:
            row = _managed(session, document_id, access)
            names = required_roles(session, roles)
            session.execute(delete(DocumentRoleRow).where(DocumentRoleRow.document_id == row.id))
            session.add_all(DocumentRoleRow(document_id=row.id, role=role) for role in names)
            session.flush()
            session.refresh(row)
            return document_of(row)

    def set_state(self, document_id: str, state: DocumentState, *, error: str = "") -> None:
        """Say where a document stands.

        :param error: why it failed, for people; required for that state and refused for others.
        :raises DocumentNotFound: missing or malformed.
        :raises DocumentError: the state contradicts the document, such as ready without chunks.
        """
        values: dict[str, object] = {"state": state, "error": error}
        if state in {DocumentState.READY, DocumentState.READY_WITH_WARNINGS}:
            values["ready_at"] = func.coalesce(DocumentRow.ready_at, func.now())
        where = DocumentRow.public_id == public_uuid(document_id)
        query = update(DocumentRow).where(where).values(values).returning(DocumentRow.id)
        with self._sessions.begin() as session:
            try:
                if session.scalar(query) is None:
                    raise DocumentNotFound(document_id)
            except IntegrityError as exc:
                reason = f"document {document_id} cannot be {state.value} ({constraint_of(exc)})"
                raise DocumentError(reason) from None

    def add(
        self,
        document_id: str,
        *,
        pages: Sequence[Page],
        chunks: Sequence[Chunk],
        vectors: Vectors | None,
        space_id: int | None,
        terms: Sequence[Sequence[str]],
        warnings: Sequence[str],
        grams: GramCounts | None = None,
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        """Fill a document and make it ready, all or nothing; earlier contents are replaced.

        :param chunks: at least one; ordinals are those of the chunks.
        :param vectors: float32 ``(len(chunks), dim)`` of the space; ``None`` with no space.
        :param terms: the analysed terms of each chunk, repeats kept; one sequence for each chunk.
        :param warnings: what is incomplete and where, for people; any makes it "with warnings".
        :param grams: letter grams of the chunks; none leaves them out of the field's statistics.
        :param language: ISO 639-1, of the analysis that made the terms.
        :raises DocumentNotFound: missing or malformed.
        :raises DocumentError: no chunks, or text that cannot be stored (a NUL character).
        :raises EmbedderError: the vectors do not fit the chunks or the space.
        :raises ValueError: ``terms`` is not as long as ``chunks``.
        """
        contents = Contents(
            pages=pages,
            chunks=chunks,
            vectors=vectors,
            space_id=space_id,
            terms=terms,
            grams=grams or GramCounts(),
        )
        contents.check()
        for warning in warnings:
            check_text(warning, "a warning")
        with self._sessions.begin() as session:
            # The lock makes a change of roles and another run over the document wait.
            where = DocumentRow.public_id == public_uuid(document_id)
            row = session.scalar(select(DocumentRow).where(where).with_for_update())
            if row is None:
                raise DocumentNotFound(document_id)
            row.n_tokens = contents.write(session, row.id)
            row.n_chunks = len(chunks)
            row.n_grams, row.language = contents.grams.length, language
            row.n_pages = max((page.number for page in pages if page.number), default=None)
            row.warnings = list(warnings)
            ready = DocumentState.READY_WITH_WARNINGS if warnings else DocumentState.READY
            row.state, row.error, row.ready_at = ready.value, "", func.now()

    def delete(self, document_id: str, *, access: Access) -> None:
        """Remove a document with everything that was made of it.

        :raises DocumentNotFound: hidden, missing or malformed alike.
        :raises AccessDenied: the access may read it but is not admin's.
        """
        with self._sessions.begin(access=access) as session:
            row = _managed(session, document_id, access)
            session.execute(delete(DocumentRow).where(DocumentRow.id == row.id))

    def list(self, *, access: Access) -> list[Document]:
        """The documents that the access may read, newest first."""
        query = select(DocumentRow).where(permits(access))
        query = query.order_by(DocumentRow.created_at.desc(), DocumentRow.id.desc())
        with self._sessions.begin(access=access) as session:
            return [document_of(row) for row in session.scalars(query)]


def document_of(row: DocumentRow) -> Document:
    """The record of a row."""
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
    )


def _managed(session: Session, document_id: str, access: Access) -> DocumentRow:
    """The row of a document that the access may change, in a session that may now do so."""
    row = permitted_document(session, document_id, access)
    if not access.is_admin:
        raise AccessDenied(f"only the {ADMIN_ROLE!r} role may change or delete a document")
    widen(session)
    return row


def _insert(
    session: Session, filename: str, title: str, suffix: str, data: bytes, uploaded_by: int | None
) -> DocumentRow:
    """A new row.

    :raises DuplicateDocument: the same bytes are stored already.
    """
    digest = hashlib.sha256(data).hexdigest()
    stored = (DocumentRow.sha256 == digest, DocumentRow.state != DocumentState.FAILED.value)
    query = insert(DocumentRow).values(
        filename=filename,
        title=title,
        suffix=suffix,
        sha256=digest,
        size=len(data),
        uploaded_by=uploaded_by,
    )
    new: DocumentRow | None = session.scalar(
        query.on_conflict_do_nothing(
            index_elements=["sha256"], index_where=text("state <> 'failed'")
        ).returning(DocumentRow)
    )
    if new is None:
        existing = session.scalar(select(DocumentRow.public_id).where(*stored))
        raise DuplicateDocument(str(existing), filename)
    return new
