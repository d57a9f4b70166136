"""What runs under way have done so far, so that a killed one goes on where it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from sqlalchemy import REAL, Text, bindparam, cast, delete, or_, select, text
from sqlalchemy.dialects.postgresql import ARRAY, BOOLEAN, BYTEA, insert
from sqlalchemy.orm import Session

from docrag.api import DocumentNotFound, Vectors
from docrag.store.permission import public_uuid
from docrag.store.sessions import NO_WAIT, Sessions
from docrag.store.tables import DocumentRow, IngestRecordRow, IngestVectorRow, SpaceRow

#: Field of the first record: what the others were read from, and by what.
_KEY: Final = "key"
#: Field of a record that is a text of JSON itself, since JSONB takes neither NUL nor half a
#: surrogate pair, which files have and loaders repair later.
_ESCAPED: Final = "json"
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
#: One statement for a batch; no row for a document that was deleted meanwhile.
_KEEP_VECTORS = text(
    """
    INSERT INTO ingest_vectors (document_id, space_id, digest, e, too_long)
    SELECT d.id, :space, v.digest, CAST(v.e AS halfvec), v.too_long
    FROM documents d, unnest(:digests, :vectors, :too_long) AS v (digest, e, too_long)
    WHERE d.public_id = :document
    ON CONFLICT DO NOTHING
    """
).bindparams(
    bindparam("digests", type_=ARRAY(BYTEA)),
    bindparam("vectors", type_=ARRAY(Text)),
    bindparam("too_long", type_=ARRAY(BOOLEAN)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedVector:
    """What an embedder made of one text."""

    #: SHA-256 of the text, 32 bytes.
    digest: bytes
    #: float32 ``(dim,)``, of half precision once it was stored; ``None`` for a refused text.
    vector: Vectors | None
    #: It was refused for its length, so that cutting helps.
    too_long: bool = False


class Staged:
    """Keeps records of loaders and vectors of texts until the document is searchable."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def checkpoint(
        self, document_id: str, *, key: str, report: Callable[[int, int], None]
    ) -> StagedRecords:
        """The records of a document's loader, as :class:`docrag.api.Checkpoint`.

        :param key: names the file's content and what reads it; records kept under another key are
            thrown away, never read.
        :param report: called with records kept and pages in all (0 if unknown) after each change.
        """
        return StagedRecords(self._sessions, document_id, key, report)

    def vectors(self, document_id: str, *, space_id: int) -> dict[bytes, StagedVector]:
        """What is kept of a document for a space, by digest; nothing for an unknown document."""
        query = (
            # As numbers: releases of pgvector differ in what they make of a halfvec.
            select(
                IngestVectorRow.digest,
                cast(IngestVectorRow.e, ARRAY(REAL)).label("numbers"),
                IngestVectorRow.too_long,
            )
            .join(DocumentRow, DocumentRow.id == IngestVectorRow.document_id)
            .where(
                DocumentRow.public_id == public_uuid(document_id),
                IngestVectorRow.space_id == space_id,
            )
        )
        with self._sessions.begin() as session:
            rows = session.execute(query).all()
        return {
            bytes(row.digest): StagedVector(
                digest=bytes(row.digest),
                vector=None if row.numbers is None else np.array(row.numbers, dtype=np.float32),
                too_long=row.too_long,
            )
            for row in rows
        }

    def keep_vectors(
        self, document_id: str, *, space_id: int, vectors: Sequence[StagedVector]
    ) -> None:
        """Keep further ones, refused texts too, at once; nothing is kept of a deleted document.

        :raises StoreError: a vector is not finite.
        """
        values = {
            "document": public_uuid(document_id),
            "space": space_id,
            "digests": [kept.digest for kept in vectors],
            "vectors": [_literal(kept.vector) for kept in vectors],
            "too_long": [kept.too_long for kept in vectors],
        }
        with self._sessions.begin() as session:
            session.execute(NO_WAIT)
            session.execute(_KEEP_VECTORS, values)

    def forget_refused(self, document_id: str) -> None:
        """Forget which texts of a document were refused, so that they are tried again."""
        with self._sessions.begin() as session:
            document = select(DocumentRow.id).where(
                DocumentRow.public_id == public_uuid(document_id)
            )
            forget_refused(session, document.scalar_subquery())

    def clear(self, document_id: str) -> None:
        """Forget everything of a document, for whatever space.

        :raises DocumentNotFound: missing or malformed.
        """
        with self._sessions.begin() as session:
            document = _number(session, document_id)
            for table in (IngestRecordRow, IngestVectorRow):
                session.execute(delete(table).where(table.document_id == document))


class StagedRecords:
    """Records of one file; a :class:`docrag.api.Checkpoint`. For one run at a time."""

    def __init__(
        self,
        sessions: Sessions,
        document_id: str,
        key: str,
        report: Callable[[int, int], None],
    ) -> None:
        self._sessions = sessions
        self._document = document_id
        self._key = key
        self._report = report
        self._next: int | None = None
        self._has_begun = False

    def records(self) -> list[dict[str, str]]:
        """What earlier runs have kept, in order.

        :raises DocumentNotFound: the document is gone.
        """
        with self._sessions.begin() as session:
            document = _number(session, self._document)
            query = select(IngestRecordRow.record).where(IngestRecordRow.document_id == document)
            found = list(session.scalars(query.order_by(IngestRecordRow.ordinal)))
            if found and found[0] != {_KEY: self._key}:
                self._begin(session, document)
                found = found[:1]
        self._has_begun = bool(found)
        self._next = max(len(found), 1)
        kept = [_unpacked(record) for record in found[1:]]
        self._tell(kept)
        return kept

    def keep(self, records: Sequence[dict[str, str]]) -> None:
        """Keep further records behind the others; of a run that was overtaken, none.

        :raises DocumentNotFound: the document is gone.
        """
        if self._next is None:
            self.records()
        first = self._next or 0
        with self._sessions.begin() as session:
            session.execute(NO_WAIT)
            document = _number(session, self._document)
            if not self._has_begun:  # only now: most files are read sooner than that is worth
                self._begin(session, document)
            rows = [
                {"document_id": document, "ordinal": ordinal, "record": _packed(record)}
                for ordinal, record in enumerate(records, start=first)
            ]
            if rows:
                # Another run over the same file keeps the same.
                session.execute(insert(IngestRecordRow).on_conflict_do_nothing(), rows)
        self._has_begun = True
        self._next = first + len(rows)
        self._tell(records)

    def _tell(self, records: Sequence[dict[str, str]]) -> None:
        """Report how far it is; loaders name the number of pages in a field ``of``."""
        pages = records[-1].get("of", "") if records else ""
        self._report((self._next or 1) - 1, int(pages) if pages.isdecimal() else 0)

    def _begin(self, session: Session, document: int) -> None:
        """Throw away what another file or reader left, and write what comes from now on.

        What another run over the same file has begun meanwhile stays.
        """
        key = {_KEY: self._key}
        other = delete(IngestRecordRow).where(IngestRecordRow.document_id == document)
        first = select(IngestRecordRow.record).filter_by(document_id=document, ordinal=0)
        if session.scalar(first) != key:
            session.execute(other)
        head = {"document_id": document, "ordinal": 0, "record": key}
        session.execute(insert(IngestRecordRow).on_conflict_do_nothing(), [head])


def clear(session: Session, document: int, *, space_id: int | None) -> None:
    """Forget the records of a document, and its vectors but those for a space to come.

    :param document: internal id.
    :param space_id: the space whose vectors are written in this transaction.
    """
    coming = select(SpaceRow.id).where(SpaceRow.state == "building")
    session.execute(delete(IngestRecordRow).where(IngestRecordRow.document_id == document))
    session.execute(
        delete(IngestVectorRow).where(
            IngestVectorRow.document_id == document,
            or_(IngestVectorRow.space_id == space_id, IngestVectorRow.space_id.not_in(coming)),
        )
    )


def forget_refused(session: Session, document: object) -> None:
    """Forget which texts were refused.

    :param document: internal id, or a query for it.
    """
    where = (IngestVectorRow.document_id == document, IngestVectorRow.e.is_(None))
    session.execute(delete(IngestVectorRow).where(*where))


def _number(session: Session, document_id: str) -> int:
    """Internal id of a document.

    :raises DocumentNotFound: missing or malformed.
    """
    where = DocumentRow.public_id == public_uuid(document_id)
    number = session.scalar(select(DocumentRow.id).where(where))
    if number is None:
        raise DocumentNotFound(document_id)
    return number


def _literal(vector: Vectors | None) -> str | None:
    """A vector as pgvector reads it."""
    return None if vector is None else str(vector.tolist())


def _packed(record: dict[str, str]) -> dict[str, str]:
    """A record as JSONB takes it."""
    if any(_UNSTORABLE.search(value) for value in record.values()):
        return {_ESCAPED: json.dumps(record)}
    return record


def _unpacked(record: dict[str, str]) -> dict[str, str]:
    """The record that was packed."""
    if record.keys() != {_ESCAPED}:
        return record
    original: dict[str, str] = json.loads(record[_ESCAPED])
    return original
