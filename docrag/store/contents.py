"""What a ready document consists of: pages, chunks, vectors, postings and letter grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import psycopg
from sqlalchemy import Text, any_, bindparam, delete, func, insert, literal, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docrag.api import Chunk, DocumentError, EmbedderError, Page, Vectors
from docrag.store import runs, staged
from docrag.store.copying import POSTING_COLUMNS, VECTOR_COLUMNS, posting_rows, vector_rows
from docrag.store.publishing import hold
from docrag.store.records import GramCounts
from docrag.store.runs import Run
from docrag.store.stored import FIELDS
from docrag.store.tables import (
    ChunkRow,
    DocumentGramsRow,
    DocumentTermsRow,
    PageRow,
    SpaceRow,
    TermRow,
)

#: Largest chunk length and term count that a posting holds (smallint); longer chunks count as this.
MAX_COUNT = 32_767
#: Terms numbered by one statement; the rows of a million would take hundreds of MB at once.
TERM_STEP = 20_000
#: Key of the advisory lock that writers of terms share, and that who removes terms has alone.
TERMS_LOCK = (0x646F6372, 2)

#: Numbers of new chunks, taken beforehand so that the rows can be copied in.
_CHUNK_IDS = text(
    "SELECT nextval(pg_get_serial_sequence('chunks', 'id')) FROM generate_series(1, :count)"
)

#: Only missing terms are inserted, since every refused insert would use up a number; in one order,
#: so that two writers never wait for each other.
_NEW_TERMS = text(
    """
    INSERT INTO terms (term)
    SELECT t FROM unnest(CAST(:terms AS text[])) t
    WHERE NOT EXISTS (SELECT FROM terms WHERE term = t)
    ORDER BY t COLLATE "C"
    ON CONFLICT DO NOTHING
    """
).bindparams(bindparam("terms", type_=ARRAY(Text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything of one document that is searched or read, to be written together."""

    pages: Sequence[Page]
    chunks: Sequence[Chunk]
    #: float32 ``(len(chunks), dim)``, or ``None`` without a space.
    vectors: Vectors | None
    space_id: int | None
    #: Analysed terms of each chunk.
    terms: Sequence[Sequence[str]]
    grams: GramCounts
    #: The run that made it, which is done when it is written; ``None`` for no run.
    run: Run | None = None

    def check(self) -> None:
        """Refuse what cannot be stored, before the database is asked.

        :raises DocumentError: no chunks, an empty chunk, or text that cannot be stored.
        :raises EmbedderError: other vectors than one finite, non-zero one for each chunk.
        :raises ValueError: not one sequence of terms for each chunk.
        """
        if not self.chunks:
            raise DocumentError("no text was found in the document, so there is nothing to search")
        if len(self.terms) != len(self.chunks):
            raise ValueError(f"{len(self.terms)} sequences of terms for {len(self.chunks)} chunks")
        for page in self.pages:
            for value in (page.text, page.section, page.warning):
                check_text(value, f"page {page.number}")
        for chunk in self.chunks:
            check_text(chunk.text, f"chunk {chunk.ordinal}", filled=True)
            check_text(chunk.section, f"the section of chunk {chunk.ordinal}")
            check_text(chunk.label, f"the label of chunk {chunk.ordinal}")
        self._check_vectors()

    def _check_vectors(self) -> None:
        """Refuse vectors that no search could find."""
        if (self.vectors is None) != (self.space_id is None):
            raise ValueError("vectors and their space come together or not at all")
        if self.vectors is None:
            return
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.chunks):
            shape = self.vectors.shape
            raise EmbedderError(f"vectors of shape {shape} for {len(self.chunks)} chunks")
        if not comparable(self.vectors):
            raise EmbedderError("a vector is zero or not finite; the embedder is broken")

    def write(self, session: Session, document: int) -> int:
        """Replace what the document holds; the caller has its row locked.

        What the run kept to be able to go on is removed, and the run is done, with it.

        :param document: internal id of the document.
        :returns: number of terms in all chunks.
        :raises UnknownName: the run is over, so that nothing may be written.
        """
        session.execute(delete(PageRow).where(PageRow.document_id == document))
        session.execute(delete(ChunkRow).where(ChunkRow.document_id == document))
        self._write_pages(session, document)
        ids = self._write_chunks(session, document)
        self._write_vectors(session, document, ids)
        if self.space_id is not None:
            hold(session, self.space_id, document, new=True)
        numbers = self._write_postings(session, document, ids)
        self._write_counts(session, document, numbers)
        staged.clear(session, document, space_id=self.space_id)
        if self.run is not None:
            runs.finish(session, self.run)
        return sum(self._lengths())

    def _lengths(self) -> list[int]:
        """Length of each chunk in terms, at most :data:`MAX_COUNT`."""
        return [min(sum(1 for term in terms if term), MAX_COUNT) for terms in self.terms]

    def _write_pages(self, session: Session, document: int) -> None:
        copy = "COPY pages (document_id, ordinal, number, section, text, warning) FROM STDIN"
        with _cursor(session) as cursor, cursor.copy(copy) as writer:
            for ordinal, page in enumerate(self.pages):
                fields = (page.number, page.section, page.text, page.warning)
                writer.write_row((document, ordinal, *fields))

    def _write_chunks(self, session: Session, document: int) -> list[int]:
        """Write the chunks; their ids, in order."""
        ids = list(session.scalars(_CHUNK_IDS, {"count": len(self.chunks)}))
        names = ", ".join(("id", "document_id", "n_tokens", *FIELDS))
        with _cursor(session) as cursor, cursor.copy(f"COPY chunks ({names}) FROM STDIN") as writer:
            for number, chunk, length in zip(ids, self.chunks, self._lengths(), strict=True):
                fields = _fields(chunk)
                writer.write_row((number, document, length, *(fields[name] for name in FIELDS)))
        return ids

    def _write_vectors(self, session: Session, document: int, ids: list[int]) -> None:
        if self.vectors is None or self.space_id is None:
            return
        dim = session.scalar(select(SpaceRow.dim).where(SpaceRow.id == self.space_id))
        if dim != self.vectors.shape[1]:
            raise EmbedderError(
                f"vectors of {self.vectors.shape[1]} numbers for a space of {dim}; "
                "ask the store for the space of this embedder"
            )
        copy = f"COPY embeddings ({VECTOR_COLUMNS}) FROM STDIN (FORMAT binary)"
        with _cursor(session) as cursor, cursor.copy(copy) as writer:
            for part in vector_rows(self.space_id, ids, document, self.vectors):
                writer.write(part)

    def _write_postings(self, session: Session, document: int, ids: list[int]) -> dict[str, int]:
        """Write the postings; the numbers of their terms."""
        numbers = _term_numbers(session, {term for terms in self.terms for term in terms if term})
        copy = f"COPY postings ({POSTING_COLUMNS}) FROM STDIN"
        with _cursor(session) as cursor, cursor.copy(copy) as writer:
            for chunk_id, terms, length in zip(ids, self.terms, self._lengths(), strict=True):
                counts = {term: min(count, MAX_COUNT) for term, count in Counter(terms).items()}
                rows = (
                    (numbers[t], chunk_id, document, tf, length) for t, tf in counts.items() if t
                )
                writer.write(posting_rows(rows))
        return numbers

    def _write_counts(self, session: Session, document: int, numbers: dict[str, int]) -> None:
        """Last of all, since the counts of the whole corpus are locked from here on."""
        held = Counter(numbers[term] for terms in self.terms for term in {*terms} if term)
        grams = self.grams.frequencies
        for table, column, counts in (
            (DocumentTermsRow, "term_ids", held),
            (DocumentGramsRow, "grams", grams),
        ):
            session.execute(delete(table).where(table.document_id == document))
            row = {column: list(counts), "counts": list(counts.values())}
            session.execute(insert(table), [{"document_id": document, **row}])


def _fields(chunk: Chunk) -> dict[str, object]:
    """The columns of a chunk, by :data:`docrag.store.stored.FIELDS`."""
    article = chunk.article
    return {
        "ordinal": chunk.ordinal,
        "text": chunk.text,
        "page_first": chunk.page_first,
        "page_last": chunk.page_last,
        "section": chunk.section,
        "label": chunk.label,
        "page_breaks": list(chunk.page_breaks),
        "article_kind": article and article.kind,
        "article_number": article and article.number,
        "paragraph_first": article and article.paragraph_first,
        "paragraph_last": article and article.paragraph_last,
        "status": article.status if article else "",
    }


def comparable(vectors: Vectors) -> bool:
    """Whether each row has a cosine to others, in the half precision that the database keeps.

    :param vectors: shape ``(n, dim)``.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        norms = np.linalg.norm(vectors.astype(np.float16).astype(np.float64), axis=1)
    return bool(np.all(np.isfinite(norms) & (norms > 0)))


def check_text(value: str, what: str, *, filled: bool = False) -> None:
    """Refuse text that PostgreSQL cannot hold.

    :param what: name of the text, for the message.
    :param filled: also refuse an empty one.
    :raises DocumentError: it has a NUL character or half a surrogate pair, or is empty.
    """
    if "\x00" in value:
        raise DocumentError(f"{what} holds a NUL character; the file is broken or was misread")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DocumentError(f"{what} holds half a surrogate pair; the file was misread") from None
    if filled and not value:
        raise DocumentError(f"{what} is empty")


def _term_numbers(session: Session, terms: set[str]) -> dict[str, int]:
    """The number of each term, new ones inserted."""
    # In a statement of its own, before the others look: no term goes away until this commits.
    session.execute(select(func.pg_advisory_xact_lock_shared(*TERMS_LOCK)))
    asked = sorted(terms)
    numbers: dict[str, int] = {}
    for start in range(0, len(asked), TERM_STEP):
        step = asked[start : start + TERM_STEP]
        session.execute(_NEW_TERMS, {"terms": step})
        # One array and not IN: a step has more terms than a statement may have parameters.
        known = TermRow.term == any_(literal(step, ARRAY(Text)))
        rows = session.execute(select(TermRow.term, TermRow.id).where(known))
        numbers.update((term, number) for term, number in rows)
    return numbers


def _cursor(session: Session) -> psycopg.Cursor[tuple[object, ...]]:
    """A cursor of the driver in the session's transaction, for COPY."""
    connection = session.connection().connection.driver_connection
    return cast("psycopg.Connection[tuple[object, ...]]", connection).cursor()
