"""Documents: taken in, listed, read and deleted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Final

from sqlalchemy import delete, func, select, update
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
    Page,
    Vectors,
)
from docrag.store import series
from docrag.store.approle import widen
from docrag.store.arrivals import arrive
from docrag.store.contents import Contents, check_text
from docrag.store.documentrows import document_of as document_of
from docrag.store.permission import permits, permitted_document, public_uuid
from docrag.store.publishing import publish
from docrag.store.records import Document, DocumentState, GramCounts, Job, NewVersion
from docrag.store.roles import required_roles
from docrag.store.runs import Run, job_of
from docrag.store.sessions import Sessions, constraint_of
from docrag.store.tables import DocumentFileRow, DocumentRoleRow, DocumentRow, PageRow

#: A document of its own, always in force.
ALONE: Final = NewVersion()


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
        version: NewVersion = ALONE,
    ) -> tuple[Document, Job]:
        """A queued document with its file and the job that will read it, in one transaction.

        A version that replaces another has the other's roles and title where none are given. The
        other stays in force until the new one is ready (:meth:`add`).

        :param filename: name as the user gave it, without folders.
        :param suffix: lower-case suffix without the dot.
        :param roles: names of the roles that may read it, at least one; admin may always.
        :param uploaded_by: id of the user, ``None`` for the command line.
        :param version: which document it is the next version of, and when it is in force.
        :raises DuplicateDocument: the same bytes are stored already, and not as a failure.
        :raises DocumentNotFound: there is no document that it could replace.
        :raises UnknownName: a role is unknown or retired.
        :raises DocumentError: no roles, an empty name, a name with characters that cannot be
            stored, or days that cannot be.
        """
        series.check(version)
        check_text(version.source, "the path of the file")
        with self._sessions.begin() as session:
            row, job = arrive(
                session, filename=filename, title=title, suffix=suffix, data=data, roles=roles,
                uploaded_by=uploaded_by, version=version,
            )  # fmt: skip
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
            row = series.held(session, document_id)
            session.execute(delete(DocumentRoleRow).where(DocumentRoleRow.document_id == row.id))
            session.add_all(DocumentRoleRow(document_id=row.id, role=role) for role in names)
            session.flush()
            session.refresh(row)
            return document_of(row)

    def set_dates(
        self,
        document_id: str,
        *,
        access: Access,
        valid_from: date | series.Kept | None = series.KEPT,
        valid_to: date | series.Kept | None = series.KEPT,
    ) -> Document:
        """The document with these days as its first and last; other versions follow them.

        :param valid_from: ``None`` for no bound; what is left out stays as it was given.
        :raises DocumentNotFound: hidden, missing or malformed alike.
        :raises AccessDenied: the access may read it but is not admin's.
        :raises DocumentError: days that cannot be.
        """
        with self._sessions.begin(access=access) as session:
            _managed(session, document_id, access)
            row = series.hold(session, document_id)
            series.date_version(session, row, valid_from, valid_to)
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
        ends = state not in (DocumentState.QUEUED, DocumentState.PROCESSING)
        where = DocumentRow.public_id == public_uuid(document_id)
        query = update(DocumentRow).where(where).values(values).returning(DocumentRow.series)
        with self._sessions.begin() as session:
            if ends:
                series.hold(session, document_id)
            try:
                found = session.scalar(query)
                if found is None:
                    raise DocumentNotFound(document_id)
                if ends:
                    series.reckon(session, found)
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
        run: Run | None = None,
    ) -> None:
        """Fill a document and make it ready, all or nothing; earlier contents are replaced.

        With it, the versions before it end the day before it begins.

        :param chunks: at least one; ordinals are those of the chunks.
        :param vectors: float32 ``(len(chunks), dim)`` of the space; ``None`` with no space.
        :param terms: the analysed terms of each chunk, repeats kept.
        :param warnings: what is incomplete and where, for people; any makes it "with warnings".
        :param grams: letter grams of the chunks; none leaves them out of the field's statistics.
        :param language: ISO 639-1, of the analysis that made the terms.
        :param run: of its job, which ends in the same transaction.
        :raises DocumentNotFound: missing or malformed.
        :raises UnknownName: the run is over.
        :raises DocumentError: no chunks, or text that cannot be stored (a NUL character).
        :raises EmbedderError: the vectors do not fit the chunks or the space.
        :raises SpaceChanged: another space is searched by now.
        :raises ValueError: other than one sequence of terms for each chunk.
        """
        contents = Contents(
            pages=pages, chunks=chunks, vectors=vectors, space_id=space_id, terms=terms,
            grams=grams or GramCounts(), run=run,
        )  # fmt: skip
        contents.check()
        for warning in warnings:
            check_text(warning, "a warning")
        with self._sessions.begin() as session:
            publish(session, space_id)
            row = series.hold(session, document_id)
            row.n_tokens, row.language = contents.write(session, row.id), language
            _make_ready(row, contents, warnings)
            series.settle(session, row)

    def delete(self, document_id: str, *, access: Access) -> None:
        """Remove a document with everything that was made of it.

        Where it had ended an earlier version, that one goes on as if it had never been.

        :raises DocumentNotFound: hidden, missing or malformed alike.
        :raises AccessDenied: the access may read it but is not admin's.
        """
        with self._sessions.begin(access=access) as session:
            _managed(session, document_id, access)
            row = series.hold(session, document_id)
            session.execute(delete(DocumentRow).where(DocumentRow.id == row.id))
            series.reckon(session, row.series)

    def adopt(self, document_id: str, source: str, *, before: str = "") -> None:
        """Note where a document, with its versions, comes from now.

        :param before: where they came from; empty for what came in another way. Others stay.
        """
        check_text(source, "the path of the file")
        one = select(DocumentRow.series).where(DocumentRow.public_id == public_uuid(document_id))
        where = (DocumentRow.series == one.scalar_subquery(), DocumentRow.source == before)
        with self._sessions.begin() as session:
            session.execute(update(DocumentRow).where(*where).values(source=source))

    def versions(self, document_id: str, *, access: Access) -> list[Document]:
        """All versions of a document that the access may read, the latest first.

        :raises DocumentNotFound: this version is hidden, missing or malformed alike.
        """
        with self._sessions.begin(access=access) as session:
            row = permitted_document(session, document_id, access)
            query = select(DocumentRow).where(permits(access), DocumentRow.series == row.series)
            query = query.order_by(DocumentRow.version.desc())
            return [document_of(one) for one in session.scalars(query)]

    def from_source(self, source: str, *, access: Access) -> list[Document]:
        """Documents that came from a watched file, newest first; none for an empty name."""
        query = select(DocumentRow).where(
            permits(access), DocumentRow.source == source, DocumentRow.source != ""
        )
        query = query.order_by(DocumentRow.created_at.desc(), DocumentRow.id.desc())
        with self._sessions.begin(access=access) as session:
            return [document_of(row) for row in session.scalars(query)]

    def list(self, *, access: Access) -> list[Document]:
        """The documents that the access may read, newest first."""
        query = select(DocumentRow).where(permits(access))
        query = query.order_by(DocumentRow.created_at.desc(), DocumentRow.id.desc())
        with self._sessions.begin(access=access) as session:
            return [document_of(row) for row in session.scalars(query)]


def _make_ready(row: DocumentRow, contents: Contents, warnings: Sequence[str]) -> None:
    """Have a row tell what was written."""
    row.n_chunks, row.n_grams = len(contents.chunks), contents.grams.length
    row.n_pages = max((page.number for page in contents.pages if page.number), default=None)
    row.warnings = list(warnings)
    ready = DocumentState.READY_WITH_WARNINGS if warnings else DocumentState.READY
    row.state, row.error, row.ready_at = ready.value, "", func.now()


def _managed(session: Session, document_id: str, access: Access) -> DocumentRow:
    """The row of a document that the access may change, in a session that may now do so."""
    row = permitted_document(session, document_id, access)
    if not access.is_admin:
        raise AccessDenied(f"only the {ADMIN_ROLE!r} role may change or delete a document")
    widen(session)
    return row
