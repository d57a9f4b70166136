"""Search over chunks: the store's side of every retriever."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import Row, Text, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docrag.api import Access, Candidate, EmbedderError, FieldStatistics, Leg, StoredChunk, Vectors
from docrag.store.hybrid import PRELUDE, exact_leg, hnsw_leg, statement
from docrag.store.permission import role_list
from docrag.store.records import Space
from docrag.store.sessions import Sessions

#: The only lexical field so far: terms of the first five letters.
FIELD = "f5"

#: What PostgreSQL's text cannot hold: NUL, and halves of surrogate pairs.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

_STATISTICS = text(
    """
    SELECT NULL AS term, coalesce(sum(n_chunks), 0)::bigint AS n,
        coalesce(sum(n_tokens)::float8 / nullif(sum(n_chunks), 0), 0) AS average
    FROM documents
    UNION ALL
    SELECT u.term, (SELECT count(*) FROM postings p JOIN terms t ON t.id = p.term_id
                    WHERE t.term = u.term), 0
    FROM (SELECT DISTINCT unnest(CAST(:terms AS text[]))) u (term)
    """
).bindparams(bindparam("terms", type_=ARRAY(Text)))


class Chunks:
    """Finds permitted chunks; implements ``docrag.api.ChunkStore``."""

    def __init__(
        self,
        sessions: Sessions,
        *,
        exact_threshold: int,
        hnsw_ef_search: int,
        hnsw_overfetch: int,
    ) -> None:
        self._sessions = sessions
        self._exact_threshold = exact_threshold
        self._ef_search = hnsw_ef_search
        self._overfetch = hnsw_overfetch

    def candidates(
        self, *, terms: Sequence[str], vector: Vectors | None, access: Access, k: int
    ) -> list[Candidate]:
        """The union of the best ``k`` chunks of the lexical and of the dense search, one statement.

        Never fewer than ``k`` dense ones where ``k`` permitted chunks have vectors: a scan of the
        index that ends early is repeated over all of them.

        :param terms: analysed query terms, repeats counted; empty leaves the lexical search out.
        :param vector: float32 ``(dim,)`` of the active space; ``None`` leaves the dense search
            out, as does a store without a space.
        :param access: only chunks that it may read are returned, by a filter inside the SQL.
        :param k: at most this many chunks from each search, 1 or more.
        :returns: dense results by rank first, then lexical ones by rank; nothing for no roles,
            without asking the database. Equal scores are ordered by chunk id.
        :raises ValueError: ``k`` is less than 1.
        :raises EmbedderError: the vector does not fit the active space.
        """
        if k < 1:
            raise ValueError(f"k is {k}; it must be 1 or more")
        roles = role_list(access)
        if not roles or (vector is None and not terms):
            return []
        parameters: dict[str, object] = {"roles": roles, "k": k, "terms": _storable(terms)}
        with self._sessions.begin(snapshot=True, access=access) as session:
            return _united(self._search(session, parameters, vector, k))

    def statistics(self, field: str, terms: Sequence[str]) -> FieldStatistics:
        """Corpus-wide statistics of a lexical field, whoever may read what.

        :param field: ``"f5"``.
        :param terms: analysed terms; repeats are counted once.
        :raises ValueError: another field.
        """
        if field != FIELD:
            raise ValueError(f"no lexical field {field!r}; there is only {FIELD!r}")
        with self._sessions.begin() as session:
            rows = session.execute(_STATISTICS, {"terms": _storable(terms)}).all()
        corpus = next(row for row in rows if row.term is None)
        frequencies = dict.fromkeys(terms, 0) | {row.term: row.n for row in rows if row.term}
        return FieldStatistics(
            n_units=corpus.n, average_length=corpus.average, document_frequency=frequencies
        )

    def _search(
        self, session: Session, parameters: dict[str, object], vector: Vectors | None, k: int
    ) -> Sequence[Row[Any]]:
        """Rows of the statement, its dense part chosen by the size of the permitted set."""
        lexical = bool(parameters["terms"])
        space, permitted = self._prelude(session, parameters)
        if vector is None or space is None:
            return _run(session, "", lexical, parameters)
        parameters["vector"] = _halfvec(vector, space)
        if permitted > self._exact_threshold:
            parameters["fetch"] = max(self._overfetch, k)
            rows = _run(session, hnsw_leg(space), lexical, parameters)
            if sum(row.leg == "dense" for row in rows) >= min(k, permitted):
                return rows
        return _run(session, exact_leg(space), lexical, parameters)

    def _prelude(self, session: Session, parameters: dict[str, object]) -> tuple[Space | None, int]:
        """The active space and the number of permitted chunks; also sets the HNSW scan up."""
        values = {"roles": parameters["roles"], "ef_search": str(self._ef_search)}
        row = session.execute(PRELUDE, values).one()
        if row.id is None:
            return None, row.permitted
        return Space(id=row.id, model_id="", dim=row.dim, chunking=""), row.permitted


def _run(
    session: Session, dense: str, lexical: bool, parameters: dict[str, object]
) -> Sequence[Row[Any]]:
    """Rows of the statement for these searches; none for no search."""
    if not dense and not lexical:
        return []
    query = statement(dense, lexical=lexical)
    needed = query.compile().params.keys()
    return session.execute(query, {name: parameters[name] for name in needed}).all()


def _storable(terms: Sequence[str]) -> list[str]:
    """The terms that the database can be asked for; others stand in no chunk."""
    return [term for term in terms if term and not _UNSTORABLE.search(term)]


def _halfvec(vector: Vectors, space: Space) -> str:
    """The vector in pgvector's text form.

    :raises EmbedderError: it has another length than the space, or is zero or not finite.
    """
    if vector.shape != (space.dim,):
        raise EmbedderError(
            f"the question's vector has shape {vector.shape}, the stored ones {space.dim} numbers; "
            "the embedder was changed: fill its space first"
        )
    norm = np.linalg.norm(vector)
    if not (np.isfinite(norm) and norm > 0):
        raise EmbedderError("the question's vector is zero or not finite; the embedder is broken")
    return str(vector.tolist())


def _united(rows: Sequence[Row[Any]]) -> list[Candidate]:
    """One candidate a chunk with all of its legs, in the order of the rows."""
    chunks: dict[int, StoredChunk] = {}
    legs: dict[int, list[Leg]] = {}
    for row in rows:
        chunks.setdefault(row.id, _stored(row))
        legs.setdefault(row.id, []).append(Leg(name=row.leg, score=row.score, rank=row.rank))
    return [
        Candidate(chunk=chunk, legs=tuple(legs[chunk_id])) for chunk_id, chunk in chunks.items()
    ]


def _stored(row: Row[Any]) -> StoredChunk:
    """The record of a row."""
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
    )
