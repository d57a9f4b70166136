"""Search over chunks: the store's side of every retriever."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from copy import copy
from typing import Any

import numpy as np
from sqlalchemy import Row, Text, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docrag.api import (
    Access,
    Article,
    Candidate,
    EmbedderError,
    FieldStatistics,
    Leg,
    StoredChunk,
    Vectors,
    near,
    plain,
)
from docrag.store.contents import comparable
from docrag.store.hybrid import FEEDBACK_WEIGHT, PRELUDE, exact_leg, hnsw_leg, statement
from docrag.store.named import named_beside
from docrag.store.permission import parameters as permitted
from docrag.store.publishing import SpaceChanged
from docrag.store.records import Space
from docrag.store.sessions import Sessions
from docrag.store.stored import stored_chunk

#: What PostgreSQL's text cannot hold: NUL, and halves of surrogate pairs.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

#: Unknown words of a question that near ones stand in for; a pasted list of names has many.
MOST_STRANGE = 20

#: What is counted of each lexical field: corpus figures, and how many chunks hold a term.
_FIELDS = {
    "f5": ("avgdl", "coalesce((SELECT t.df FROM terms t WHERE t.term = u.term), 0)"),
    "c4": ("avggrams", "coalesce((SELECT g.df FROM grams g WHERE g.gram = u.term), 0)"),
}  # fmt: skip
_STATISTICS = {
    field: text(
        f"""
        SELECT NULL AS term, coalesce(n, 0)::bigint AS n, coalesce({average}, 0) AS average
        FROM docrag_corpus()
        UNION ALL
        SELECT u.term, {frequency}, 0
        FROM (SELECT DISTINCT unnest(CAST(:terms AS text[]))) u (term)
        """  # noqa: S608 - only constants of this module
    ).bindparams(bindparam("terms", type_=ARRAY(Text)))
    for field, (average, frequency) in _FIELDS.items()
}
_COSINE_WEIGHT = text(
    "SELECT cosine_weight FROM embedding_spaces"
    " WHERE CASE WHEN CAST(:space AS integer) IS NULL THEN state = 'active' ELSE id = :space END"
)


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
        self._is_bound = False
        self._bound: Space | None = None
        self._exact_threshold = exact_threshold
        self._ef_search = hnsw_ef_search
        self._overfetch = hnsw_overfetch

    def of(self, space: Space | None) -> Chunks:
        """The same chunks for questions that are embedded for one space.

        A search by a vector then raises :class:`docrag.store.publishing.SpaceChanged` when another
        space is the active one, by the snapshot of that search.

        :param space: the active one; ``None`` where there is none yet.
        """
        bound = copy(self)
        bound._is_bound, bound._bound = True, space
        return bound

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
        :raises SpaceChanged: it was made for another space, see :meth:`of`.
        """
        if k < 1:
            raise ValueError(f"k is {k}; it must be 1 or more")
        values = permitted(access)
        if not values["roles"] or (vector is None and not terms):
            return []
        asked = _storable(terms)
        bases = [plain(term) for term in asked]
        parameters: dict[str, Any] = values | {"k": k, "terms": asked, "bases": bases}
        with self._sessions.begin(snapshot=True, access=access) as session:
            rows = self._search(session, parameters, vector, k)
        words = _words(rows[0]) if rows else None
        return [_candidate(row, words) for row in rows]

    def named_beside(
        self, articles: Sequence[Article], documents: Collection[str], *, access: Access, k: int
    ) -> tuple[list[StoredChunk], frozenset[str]]:
        """Permitted chunks of the articles, and which of the documents are visible with them.

        See :func:`docrag.store.named.named_beside`.
        """
        return named_beside(self._sessions, articles, documents, access=access, k=k)

    def statistics(self, field: str, terms: Sequence[str]) -> FieldStatistics:
        """Corpus-wide statistics of a lexical field, whoever may read what.

        :param field: ``"f5"`` (terms of postings) or ``"c4"`` (letter grams).
        :param terms: analysed terms; repeats are counted once.
        :raises ValueError: another field.
        """
        if field not in _STATISTICS:
            known = ", ".join(_STATISTICS)
            raise ValueError(f"no lexical field {field!r}; known: {known}")
        with self._sessions.single() as connection:
            rows = connection.execute(_STATISTICS[field], {"terms": _storable(terms)}).all()
        corpus = next(row for row in rows if row.term is None)
        frequencies = dict.fromkeys(terms, 0) | {row.term: row.n for row in rows if row.term}
        return FieldStatistics(
            n_units=corpus.n, average_length=corpus.average, document_frequency=frequencies
        )

    def cosine_weight(self) -> float | None:
        """The calibrated worth of a cosine of 1 in the active space, in units of BM25."""
        space = self._bound.id if self._bound else None
        with self._sessions.single() as connection:
            weight: float | None = connection.scalar(_COSINE_WEIGHT, {"space": space})
        return weight

    def _search(
        self, session: Session, parameters: dict[str, Any], vector: Vectors | None, k: int
    ) -> Sequence[Row[Any]]:
        """Rows of the statement, its dense part chosen by the size of the permitted set."""
        lexical = bool(parameters["terms"])
        space, permitted = self._prelude(session, parameters)
        if self._is_bound and vector is not None and _id(space) != _id(self._bound):
            raise SpaceChanged
        if vector is None or space is None:
            return _run(session, "", lexical, parameters, space)
        parameters["vector"] = _halfvec(vector, space)
        length = float(np.linalg.norm(vector))
        parameters["scaled"] = str((vector / (length * FEEDBACK_WEIGHT)).tolist())
        if permitted > self._exact_threshold:
            parameters["fetch"] = max(self._overfetch, k)
            rows = _run(session, hnsw_leg(space), lexical, parameters, space)
            if sum(row.dense_rank is not None for row in rows) >= min(k, permitted):
                return rows
        return _run(session, exact_leg(space), lexical, parameters, space)

    def _prelude(self, session: Session, parameters: dict[str, Any]) -> tuple[Space | None, int]:
        """The active space and the number of permitted chunks; also sets the HNSW scan up.

        The parameters get what stands in for words that no document has.
        """
        names = ("roles", "day", "bases")
        values = {name: parameters[name] for name in names} | {"ef_search": str(self._ef_search)}
        row = session.execute(PRELUDE, values).one()
        parameters |= _stand_ins(parameters["terms"], frozenset(row.unknown))
        if row.id is None:
            return None, row.permitted
        return Space(id=row.id, model_id="", dim=row.dim, chunking=""), row.permitted


def _id(space: Space | None) -> int | None:
    return space.id if space else None


def _run(
    session: Session,
    dense: str,
    lexical: bool,
    parameters: dict[str, Any],
    space: Space | None,
) -> Sequence[Row[Any]]:
    """Rows of the statement for these searches; none for no search."""
    if not dense and not lexical:
        return []
    query = statement(dense, lexical=lexical, space=space)
    needed = query.compile().params.keys()
    return session.execute(query, {name: parameters[name] for name in needed}).all()


def _stand_ins(terms: Sequence[str], unknown: frozenset[str]) -> dict[str, object]:
    """Parameters that name the terms near to the first unknown words, side by side with each."""
    strange = [term for term in dict.fromkeys(terms) if plain(term) in unknown][:MOST_STRANGE]
    pairs = [(term, other) for term in strange for other in near(term)]
    return {"near_of": [term for term, _ in pairs], "near": [other for _, other in pairs]}


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
    if not comparable(vector[np.newaxis]):
        raise EmbedderError("the question's vector is zero or not finite; the embedder is broken")
    return str(vector.tolist())


def _words(row: Row[Any]) -> FieldStatistics | None:
    """Statistics of the asked terms, which the first row has."""
    if row.frequencies is None:
        return None
    return FieldStatistics(
        n_units=int(row.n),
        average_length=row.avgdl,
        document_frequency={term: int(n) for term, n in row.frequencies.items()},
    )


def _candidate(row: Row[Any], words: FieldStatistics | None) -> Candidate:
    """The record of a row."""
    legs = []
    if row.dense_rank is not None:
        legs.append(Leg(name="dense", score=row.dense, rank=row.dense_rank))
    if row.lexical_rank is not None:
        legs.append(Leg(name="lexical", score=row.lexical, rank=row.lexical_rank))
    return Candidate(
        chunk=stored_chunk(row),
        legs=tuple(legs),
        dense=row.dense,
        feedback=row.feedback,
        lexical=row.lexical,
        window=row.window,
        words=words,
    )
