"""Filling a space that is not searched yet: which documents it lacks, and their vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Row, Text, bindparam, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from docrag.api import Chunk, EmbedderError, Page, Vectors
from docrag.store.claims import close
from docrag.store.contents import comparable
from docrag.store.publishing import SpaceChanged, publish
from docrag.store.records import Space
from docrag.store.sessions import Sessions, database_errors
from docrag.store.tables import PageRow

#: Documents that are looked at for one that nobody else fills; more than there will be workers.
CANDIDATES: Final = 100
#: Documents that a search may find, and that space ``:space`` does not hold as they are.
MISSING: Final = """
    documents d WHERE d.state IN ('ready', 'ready_with_warnings') AND NOT EXISTS (
        SELECT FROM space_documents h WHERE h.space_id = :space AND h.document_id = d.id
            AND h.ready_at = d.ready_at)
"""
_NEXT = text(
    f"SELECT d.id, d.public_id::text AS public_id, d.title, d.ready_at FROM {MISSING}"  # noqa: S608 - constants
    " AND d.id <> ALL (:skip) ORDER BY d.id LIMIT :most"
).bindparams(bindparam("skip", type_=ARRAY(BigInteger)))
_CHUNKS = text(
    """
    SELECT c.id, c.ordinal, c.text, c.section, c.label, c.page_first, c.page_last, c.page_breaks
    FROM chunks c WHERE c.document_id = :document AND NOT EXISTS (
        SELECT FROM embeddings e WHERE e.space_id = :space AND e.chunk_id = c.id)
    ORDER BY c.ordinal
    """
)
#: The lock lets nobody delete a chunk before its vector is there to be deleted with it.
_WRITE = text(
    """
    INSERT INTO embeddings (space_id, chunk_id, document_id, e)
    SELECT :space, c.id, c.document_id, v.e
    FROM (SELECT id, document_id FROM chunks WHERE id = ANY (:ids) FOR KEY SHARE) c
        JOIN (SELECT unnest(:ids) AS id, CAST(unnest(:vectors) AS halfvec) AS e) v ON v.id = c.id
    ON CONFLICT DO NOTHING
    """
).bindparams(bindparam("ids", type_=ARRAY(BigInteger)), bindparam("vectors", type_=ARRAY(Text)))
_HOLD = text(
    """
    INSERT INTO space_documents (space_id, document_id, ready_at, warnings)
    SELECT :space, d.id, d.ready_at, :warnings
    FROM documents d WHERE d.id = :document AND d.ready_at = :ready_at
    ON CONFLICT (space_id, document_id) DO UPDATE SET
        ready_at = excluded.ready_at, warnings = excluded.warnings, filled_at = clock_timestamp()
    """
).bindparams(bindparam("warnings", type_=JSONB))
_DONE_STAGING = text(
    "DELETE FROM ingest_vectors WHERE space_id = :space AND document_id = :document"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfilled:
    """A document that a space lacks, as it is now."""

    #: Internal id, and public identifier (UUID text).
    id: int
    public_id: str
    title: str
    #: Tells whether it was read anew meanwhile.
    ready_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BareChunk:
    """A stored chunk without a vector of some space."""

    id: int
    chunk: Chunk


class Refills:
    """Fills spaces; any number of processes at once. Every write is of its own transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @contextmanager
    def claim(self, space: Space, *, skip: Collection[int] = ()) -> Iterator[Unfilled | None]:
        """A document that the space lacks, ours inside the block; ``None`` if there is no other.

        Its lock is one of the server's session, which ends with this process however that ends.

        :param skip: internal ids of documents that are not wanted.
        :raises StoreUnavailable: the database cannot be reached.
        """
        values = {"space": space.id, "most": CANDIDATES, "skip": list(skip)}
        with database_errors(self._sessions.engine):
            connection = self._sessions.engine.connect().execution_options(
                isolation_level="AUTOCOMMIT"
            )
        try:
            # Out of the pool, where closing it would keep the server's session and the lock.
            connection.detach()
            with database_errors(self._sessions.engine):
                rows = connection.execute(_NEXT, values).all()
                free = (row for row in rows if connection.scalar(_try_lock(space, row)))
                row = next(free, None)
            yield None if row is None else Unfilled(**row._mapping)
        finally:
            close(connection)

    def bare(self, space: Space, document: Unfilled) -> list[BareChunk]:
        """The chunks of a document that have no vector in the space, in order."""
        with self._sessions.begin() as session:
            rows = session.execute(_CHUNKS, {"space": space.id, "document": document.id}).all()
        return [_bare(row) for row in rows]

    def pages(self, document: Unfilled) -> list[Page]:
        """The text of a document as it was read, in reading order."""
        query = select(PageRow).where(PageRow.document_id == document.id).order_by(PageRow.ordinal)
        with self._sessions.begin() as session:
            return [page_of(page) for page in session.scalars(query)]

    def write(self, space: Space, ids: Sequence[int], vectors: Vectors) -> None:
        """Store vectors of chunks; those of chunks that are gone are left out.

        :param vectors: float32 ``(len(ids), dim)``.
        :raises EmbedderError: they are not of the space's dimension, or no search could find one.
        :raises StoreError: the space is gone.
        """
        if vectors.shape != (len(ids), space.dim) or not comparable(vectors):
            raise EmbedderError(
                f"vectors of shape {vectors.shape} do not fit a space of {space.dim} dimensions, "
                "or one of them is zero or not finite; look at the embedder's options"
            )
        values = {
            "space": space.id,
            "ids": list(ids),
            "vectors": [str(vector) for vector in vectors.tolist()],
        }
        with self._sessions.begin() as session:
            session.execute(_WRITE, values)

    def hold(
        self, space: Space, document: Unfilled, *, searched: Space, warnings: Sequence[str]
    ) -> bool:
        """Note that the space holds the document whole; false if it was changed or deleted.

        :param searched: the space that was active when the work on the document began; where
            another one is by now, the document may have other chunks, and nothing is noted.
        :param warnings: which of its chunks could not be embedded, for people.
        """
        values = {
            "space": space.id,
            "document": document.id,
            "ready_at": document.ready_at,
            "warnings": list(warnings),
        }
        with self._sessions.begin() as session:
            try:
                publish(session, searched.id)
            except SpaceChanged:
                return False
            return bool(session.execute(_HOLD, values).rowcount)  # type: ignore[attr-defined]  # of a DML result

    def forget_staged(self, space: Space, document: Unfilled) -> None:
        """Remove what was kept to go on with the document after a kill."""
        with self._sessions.begin() as session:
            session.execute(_DONE_STAGING, {"space": space.id, "document": document.id})


def page_of(row: PageRow) -> Page:
    """The record of a row."""
    return Page(number=row.number, text=row.text, section=row.section, warning=row.warning)


def _try_lock(space: Space, row: Row[Any]) -> Any:  # noqa: ANN401 - a statement
    key = func.hashtextextended(f"refill {space.id} {row.id}", 0)
    return select(func.pg_try_advisory_lock(key))


def _bare(row: Row[Any]) -> BareChunk:
    chunk = Chunk(
        ordinal=row.ordinal,
        text=row.text,
        page_first=row.page_first,
        page_last=row.page_last,
        section=row.section,
        label=row.label,
        page_breaks=tuple(row.page_breaks),
    )
    return BareChunk(id=row.id, chunk=chunk)
