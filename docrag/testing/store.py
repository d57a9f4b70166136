"""A chunk store in memory, for tests of retrievers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from docrag.api import (
    ADMIN_ROLE,
    Access,
    Candidate,
    FieldStatistics,
    Leg,
    StoredChunk,
    Vectors,
    f5,
)

#: BM25's saturation of repeated terms and weight of length, the usual values.
K1, B = 1.2, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    chunk: StoredChunk
    roles: frozenset[str]
    vector: Vectors | None
    terms: Counter[str]


class MemoryChunkStore:
    """Chunks with roles and vectors, searched as the database does; counts its calls.

    Exact cosine, and BM25 (Robertson and Zaragoza, 2009, "The probabilistic relevance framework",
    section 3.2) over F5 terms with statistics of all chunks, whoever may read them.
    """

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        #: How often candidates were asked for.
        self.calls = 0

    def add(
        self, chunk: StoredChunk, roles: Iterable[str] = (), vector: Vectors | None = None
    ) -> None:
        """Store a chunk.

        :param roles: who may read it; the admin role always may.
        :param vector: float32 ``(dim,)`` of length 1; ``None`` keeps it out of dense search.
        """
        self._rows.append(
            _Row(
                chunk=chunk,
                roles=Access.of(roles).roles | {ADMIN_ROLE},
                vector=vector,
                terms=Counter(f5(chunk.text)),
            )
        )

    def candidates(
        self, *, terms: Sequence[str], vector: Vectors | None, access: Access, k: int
    ) -> list[Candidate]:
        """The union of the best ``k`` permitted chunks of both searches, dense ones first.

        :raises ValueError: ``k`` is below 1.
        """
        if k < 1:
            raise ValueError(f"k must be 1 or more, not {k}")
        self.calls += 1
        permitted = [row for row in self._rows if row.roles & access.roles]
        legs: dict[int, tuple[StoredChunk, list[Leg]]] = {}
        if vector is not None:
            with_vector = [row for row in permitted if row.vector is not None]
            _search("dense", with_vector, lambda row: _cosine(row, vector), k, legs)
        if terms:
            self._search_words(terms, permitted, k, legs)
        return [Candidate(chunk=chunk, legs=tuple(found)) for chunk, found in legs.values()]

    def statistics(self, field: str, terms: Sequence[str]) -> FieldStatistics:
        """Statistics of the field ``f5`` over all chunks.

        :raises ValueError: another field.
        """
        if field != "f5":
            raise ValueError(f"no field {field!r}; known: f5")
        lengths = [row.terms.total() for row in self._rows]
        return FieldStatistics(
            n_units=len(lengths),
            average_length=sum(lengths) / len(lengths) if lengths else 0.0,
            document_frequency={
                term: sum(term in row.terms for row in self._rows) for term in terms
            },
        )

    def _search_words(
        self,
        terms: Sequence[str],
        permitted: list[_Row],
        k: int,
        legs: dict[int, tuple[StoredChunk, list[Leg]]],
    ) -> None:
        statistics = self.statistics("f5", terms)
        matching = [row for row in permitted if any(term in row.terms for term in terms)]
        _search("lexical", matching, lambda row: _bm25(row, terms, statistics), k, legs)


def _search(
    name: str,
    rows: list[_Row],
    score: Callable[[_Row], float],
    k: int,
    legs: dict[int, tuple[StoredChunk, list[Leg]]],
) -> None:
    """Add the legs of one search: highest score first, equal ones by chunk id."""
    scored = sorted((-score(row), row.chunk.chunk_id, row.chunk) for row in rows)
    for rank, (negative, identifier, chunk) in enumerate(scored[:k], start=1):
        _, found = legs.setdefault(identifier, (chunk, []))
        found.append(Leg(name=name, score=-negative, rank=rank))


def _cosine(row: _Row, vector: Vectors) -> float:
    return float(np.dot(row.vector, vector)) if row.vector is not None else 0.0


def _bm25(row: _Row, terms: Sequence[str], statistics: FieldStatistics) -> float:
    length = row.terms.total() / (statistics.average_length or 1.0)
    total = 0.0
    for term, repeats in Counter(terms).items():
        df = statistics.document_frequency[term]
        idf = math.log(1.0 + (statistics.n_units - df + 0.5) / (df + 0.5))
        tf = row.terms[term]
        total += repeats * idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length))
    return total
