"""The switch from one space to another: what is still missing for it, and the one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, delete, select, text, update
from sqlalchemy.orm import Session

from docrag.api import Page, StoreError, indexed
from docrag.store.contents import Contents
from docrag.store.partitions import partition_name
from docrag.store.publishing import SpaceChanged, switch_alone
from docrag.store.records import DocumentState, Space
from docrag.store.refills import MISSING, Unfilled, page_of
from docrag.store.sessions import Sessions
from docrag.store.spaces import LOCK, activate
from docrag.store.tables import DocumentRow, PageRow, SpaceDocumentRow, SpaceRow

#: Titles of missing documents that a message names.
NAMED: Final = 3
#: In a warning of a document, says that a chunk has no vector.
LOST: Final = "could not be embedded"
#: Minutes over which the rate is taken.
WINDOW: Final = 5

_READY: Final = (DocumentState.READY.value, DocumentState.READY_WITH_WARNINGS.value)
_PROGRESS = text(
    f"""
    WITH missing AS MATERIALIZED (SELECT d.id, d.n_chunks FROM {MISSING}),
    held AS MATERIALIZED (
        SELECT d.n_chunks, h.warnings, h.filled_at
        FROM space_documents h JOIN documents d ON d.id = h.document_id
        WHERE h.space_id = :space AND d.state IN ('ready', 'ready_with_warnings')
            AND d.ready_at = h.ready_at
    )
    SELECT (SELECT count(*) FROM held) AS documents,
        (SELECT count(*) FROM missing) AS missing,
        (SELECT coalesce(sum(n_chunks), 0) FROM held)
            + (SELECT count(*) FROM embeddings e
                WHERE e.space_id = :space AND e.document_id IN (SELECT id FROM missing))
            + (SELECT count(*) FROM ingest_vectors v
                WHERE v.space_id = :space AND v.document_id IN (SELECT id FROM missing)
                    AND v.e IS NOT NULL) AS chunks,
        (SELECT coalesce(sum(n_chunks), 0) FROM held)
            + (SELECT coalesce(sum(n_chunks), 0) FROM missing) AS all_chunks,
        (SELECT coalesce(sum(jsonb_array_length(warnings)), 0) FROM held) AS refused,
        (SELECT coalesce(sum(n_chunks), 0) FROM held
            WHERE filled_at > now() - make_interval(mins => {WINDOW})) AS recent
    """  # noqa: S608 - constants of these modules
)
_TITLES = text(f"SELECT d.title FROM {MISSING} ORDER BY d.id LIMIT {NAMED}")  # noqa: S608 - constants
#: The same chunks are searched, so that only what a space could not embed is another.
_WARN = text(
    """
    UPDATE documents d SET warnings = w.warnings, state = CASE
        WHEN w.warnings = '[]' THEN 'ready' ELSE 'ready_with_warnings' END
    FROM (
        SELECT d.id, coalesce((
            SELECT jsonb_agg(x) FROM jsonb_array_elements(d.warnings) x
            WHERE NOT coalesce(o.warnings, '[]') @> jsonb_build_array(x)), '[]')
            || coalesce(n.warnings, '[]') AS warnings
        FROM documents d
            LEFT JOIN space_documents o ON o.document_id = d.id AND o.space_id = :old
            LEFT JOIN space_documents n ON n.document_id = d.id AND n.space_id = :new
        WHERE d.state IN ('ready', 'ready_with_warnings')
            AND (coalesce(o.warnings, '[]') <> '[]' OR coalesce(n.warnings, '[]') <> '[]')
    ) w
    WHERE d.id = w.id
    """
)
_VECTORS = text(
    """
    SELECT c.section, c.text, CAST(e.e AS text) AS e
    FROM chunks c JOIN embeddings e ON e.space_id = :space AND e.chunk_id = c.id
    WHERE c.document_id = :document
    """
)
_KEEP = text(
    """
    INSERT INTO ingest_vectors (document_id, space_id, digest, e)
    VALUES (:document, :space, :digest, CAST(:e AS halfvec)) ON CONFLICT DO NOTHING
    """
)

#: Makes the contents of a document anew from its pages.
Rebuild = Callable[[Unfilled, Sequence[Page], str], Contents]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a space is filled."""

    #: Searchable documents that it holds whole, and that it lacks.
    documents: int
    missing: int
    #: Chunks with a vector, and chunks in all. Where the new chunks are others than the old ones,
    #: what is in all is counted in old ones.
    chunks: int
    all_chunks: int
    #: Chunks that the embedder refused.
    refused: int
    #: Chunks a minute, of documents that were finished during the last :data:`WINDOW` minutes.
    rate: float


class SpaceIncomplete(StoreError):
    """Documents are missing in a space that shall be searched."""


class Switches:
    """Tells how far a space is, and makes it the one that is searched."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def progress(self, space: Space) -> Progress:
        """How far a space is filled, by one snapshot."""
        with self._sessions.begin() as session:
            row = session.execute(_PROGRESS, {"space": space.id}).one()
        return Progress(
            documents=row.documents,
            missing=row.missing,
            chunks=row.chunks,
            all_chunks=int(row.all_chunks),
            refused=int(row.refused),
            rate=int(row.recent) / WINDOW,
        )

    def switch(
        self,
        space: Space,
        *,
        rebuild: Rebuild | None = None,
        report: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Have every search from now on read another space; all or nothing.

        Searches go on meanwhile. Who publishes a document waits, and makes its vectors anew.

        :param rebuild: where the space's chunks are cut in another way: makes the contents of a
            document from its pages; vectors of the old chunks are kept for a switch back.
        :param report: called with documents done and in all, as they are rebuilt.
        :raises SpaceIncomplete: documents are missing in the space.
        :raises SpaceChanged: another process has switched meanwhile.
        :raises StoreError: the space is gone.
        """
        if rebuild is None:
            self._analyse(space)
        with self._sessions.begin() as session:
            # A long document is cut between two statements.
            session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            switch_alone(session)
            session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            old = session.scalar(select(SpaceRow).where(SpaceRow.state == "active"))
            _check(session, space)
            if old is not None and old.id != space.id:
                if (old.chunking == space.chunking) != (rebuild is None):
                    raise SpaceChanged
                _swap(session, old, space, rebuild, report)
                activate(session, space.id)
        if rebuild is not None:
            self._analyse(space)

    def _analyse(self, space: Space) -> None:
        """Have the planner know the partition, which it takes for empty otherwise."""
        with self._sessions.begin() as session:
            session.execute(text(f"ANALYZE {partition_name(space.id)}"))


def _check(session: Session, space: Space) -> None:
    """:raises StoreError: documents are missing in the space (:class:`SpaceIncomplete`), or it is
    gone.
    """
    if session.get(SpaceRow, space.id) is None:
        raise StoreError(f"the space of {space.model_id} is gone; run `docrag reindex start`")
    missing = session.scalar(text(f"SELECT count(*) FROM {MISSING}"), {"space": space.id})  # noqa: S608 - constants
    if missing:
        titles = session.scalars(_TITLES, {"space": space.id})
        named = ", ".join(repr(title) for title in titles)
        more = ", …" if missing > NAMED else ""
        raise SpaceIncomplete(
            f"{missing} documents are not embedded with {space.model_id} yet ({named}{more}); let "
            "a worker run (`docrag worker`), look at `docrag reindex status`, or wait with --wait"
        )


def _swap(
    session: Session,
    old: SpaceRow,
    new: Space,
    rebuild: Rebuild | None,
    report: Callable[[int, int], None],
) -> None:
    """Give every document the chunks and the warnings of the new space."""
    if rebuild is None:
        session.execute(_WARN, {"old": old.id, "new": new.id})
        return
    query = select(DocumentRow).where(DocumentRow.state.in_(_READY)).order_by(DocumentRow.id)
    numbers = session.scalars(query.with_only_columns(DocumentRow.id).with_for_update()).all()
    report(0, len(numbers))
    for done, number in enumerate(numbers, start=1):
        _rewrite(session, session.get_one(DocumentRow, number), old.id, new, rebuild)
        session.flush()
        session.expunge_all()
        report(done, len(numbers))


def _rewrite(session: Session, row: DocumentRow, old: int, new: Space, rebuild: Rebuild) -> None:
    """Replace what one document holds, keeping the vectors that it loses for a way back."""
    if row.ready_at is None:  # not of a ready one; for the type alone
        return
    document = Unfilled(
        id=row.id, public_id=str(row.public_id), title=row.title, ready_at=row.ready_at
    )
    query = select(PageRow).where(PageRow.document_id == row.id).order_by(PageRow.ordinal)
    contents = rebuild(document, [page_of(page) for page in session.scalars(query)], row.language)
    contents.check()
    # Before the contents are written, which notes anew what the space holds.
    warned: list[str] = session.scalar(_held(row.id, new.id)) or []
    kept = _vectors(session, row, old)
    row.n_tokens = contents.write(session, row.id)
    row.n_chunks, row.n_grams = len(contents.chunks), contents.grams.length
    if kept:
        session.execute(_KEEP, kept)
    _forget_others(session, row.id, (old, new.id))
    before = [warning for warning in row.warnings if LOST in warning]
    _note(session, row, old, {"warnings": before})
    _note(session, row, new.id, {"warnings": warned, "ready_at": row.ready_at})
    row.warnings = [warning for warning in row.warnings if LOST not in warning] + warned
    ready = DocumentState.READY_WITH_WARNINGS if row.warnings else DocumentState.READY
    row.state = ready.value


def _held(document: int, space: int) -> Select[Any]:
    """The warnings that were noted when the space was filled with a document."""
    where = (SpaceDocumentRow.document_id == document, SpaceDocumentRow.space_id == space)
    return select(SpaceDocumentRow.warnings).where(*where)


def _note(session: Session, row: DocumentRow, space: int, values: dict[str, object]) -> None:
    """Change what is noted of a document in a space that holds it."""
    where = (SpaceDocumentRow.document_id == row.id, SpaceDocumentRow.space_id == space)
    session.execute(update(SpaceDocumentRow).where(*where).values(values))


def _forget_others(session: Session, document: int, spaces: Sequence[int]) -> None:
    """Note that no further space holds a document: their vectors went with its chunks."""
    others = SpaceDocumentRow.space_id.not_in(spaces)
    where = (SpaceDocumentRow.document_id == document, others)
    session.execute(delete(SpaceDocumentRow).where(*where))


def _vectors(session: Session, row: DocumentRow, old: int) -> list[dict[str, Any]]:
    """The vectors of a document by what was embedded, as a space to come has them."""
    found = session.execute(_VECTORS, {"space": old, "document": row.id})
    return [
        {
            "document": row.id,
            "space": old,
            "digest": digest(indexed(row.title, vector.section, vector.text)),
            "e": vector.e,
        }
        for vector in found
    ]


def digest(embedded: str) -> bytes:
    """Under which a vector is kept: SHA-256 of the embedded text."""
    return hashlib.sha256(embedded.encode(errors="surrogatepass")).digest()
