"""A chunk store in memory, for tests of retrievers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from docrag.api import (
    ADMIN_ROLE,
    WINDOW,
    Access,
    Article,
    Candidate,
    FieldStatistics,
    Leg,
    StoredChunk,
    Vectors,
    analysed,
    c4,
    idf,
    indexed,
    near,
    plain,
    saturation,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    chunk: StoredChunk
    roles: frozenset[str]
    vector: Vectors | None
    #: Terms of each field.
    fields: dict[str, Counter[str]]


class MemoryChunkStore:
    """Chunks with roles and vectors, searched as the database does; counts its calls.

    Exact cosine, and BM25 (:mod:`docrag.bm25`) with statistics of all chunks, whoever may read
    them. A document's chunks must be added in order.
    """

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        #: How often candidates were asked for.
        self.calls = 0
        #: What :meth:`cosine_weight` gives.
        self.weight: float | None = None

    def add(
        self, chunk: StoredChunk, roles: Iterable[str] = (), vector: Vectors | None = None
    ) -> None:
        """Store a chunk.

        :param roles: who may read it; the admin role always may.
        :param vector: float32 ``(dim,)`` of length 1; ``None`` keeps it out of dense search.
        """
        text = indexed(chunk.title, chunk.section, chunk.text)
        fields = {"f5": Counter(analysed(text)), "c4": Counter(c4(text))}
        allowed = Access.of(roles).roles | {ADMIN_ROLE}
        self._rows.append(_Row(chunk=chunk, roles=allowed, vector=vector, fields=fields))

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
        dense = {row.chunk.chunk_id: _cosine(row, vector) for row in permitted}
        cosines = {number: cosine for number, cosine in dense.items() if cosine is not None}
        single = [[row] for row in self._rows]
        lexical = {
            row.chunk.chunk_id: self._bm25([row], single, terms, permitted) for row in permitted
        }
        legs: dict[int, list[Leg]] = {}
        _search("dense", cosines, k, legs)
        _search("lexical", {n: score for n, score in lexical.items() if score > 0}, k, legs)
        rows = {row.chunk.chunk_id: row for row in permitted}
        moved = _moved(vector, cosines, rows) if terms else None
        return [
            Candidate(
                chunk=rows[number].chunk,
                legs=tuple(found),
                dense=dense[number],
                feedback=_cosine(rows[number], moved),
                lexical=lexical[number],
                window=self._bm25(self._window(rows[number]), self._windows(), terms, permitted),
            )
            for number, found in legs.items()
        ]

    def named_beside(
        self, articles: Sequence[Article], documents: Collection[str], *, access: Access, k: int
    ) -> tuple[list[StoredChunk], frozenset[str]]:
        """Permitted chunks of the articles, those of a named paragraph first in their document.

        :returns: with them the permitted ones of ``documents``.
        :raises ValueError: ``k`` is below 1.
        """
        if k < 1:
            raise ValueError(f"k must be 1 or more, not {k}")
        chunks = [row.chunk for row in self._rows if row.roles & access.roles]
        permitted = list(dict.fromkeys(chunk.document_id for chunk in chunks))
        found = [
            chunk
            for article in articles
            for name in permitted
            for holds in (True, False)
            for chunk in chunks
            if chunk.document_id == name
            and _is_of(chunk, article)
            and _holds(chunk, article) is holds
        ]
        return found[:k], frozenset(documents).intersection(permitted)

    def statistics(self, field: str, terms: Sequence[str]) -> FieldStatistics:
        """Statistics of a field over all chunks.

        :raises ValueError: another field than ``f5`` and ``c4``.
        """
        if field not in ("f5", "c4"):
            raise ValueError(f"no field {field!r}; known: f5, c4")
        units = [row.fields[field] for row in self._rows]
        return FieldStatistics(
            n_units=len(units),
            average_length=sum(unit.total() for unit in units) / len(units) if units else 0.0,
            document_frequency={term: sum(term in unit for unit in units) for term in terms},
        )

    def cosine_weight(self) -> float | None:
        """What a test has set."""
        return self.weight

    def _window(self, row: _Row) -> list[_Row]:
        """The neighbouring chunks that count as one with this one."""
        return next(group for group in self._windows() if row in group)

    def _windows(self) -> list[list[_Row]]:
        found: list[list[_Row]] = []
        for name in dict.fromkeys(row.chunk.document_id for row in self._rows):
            own = [row for row in self._rows if row.chunk.document_id == name]
            parts = -(-len(own) // WINDOW)
            cuts = [part * len(own) // parts for part in range(parts + 1)]
            found += [own[low:high] for low, high in zip(cuts, cuts[1:], strict=False)]
        return found

    def _bm25(
        self,
        unit: Sequence[_Row],
        units: Sequence[Sequence[_Row]],
        terms: Sequence[str],
        permitted: Sequence[_Row],
    ) -> float:
        """BM25 of one of the units, which are chunks or windows."""
        counts = sum((row.fields["f5"] for row in unit), Counter[str]())
        lengths = [sum(row.fields["f5"].total() for row in one) for one in units]
        average = sum(lengths) / len(lengths)
        total = 0.0
        for asked in terms:
            members = self._members(asked, permitted)
            frequency = sum(sum(term in row.fields["f5"] for row in self._rows) for term in members)
            weight = idf(len(self._rows), min(frequency, len(self._rows)))
            tf = np.array([counts[term] for term in members], dtype=np.float64)
            length = np.full(len(members), float(counts.total()))
            total += weight * float(saturation(tf, length, average).sum())
        return total

    def _members(self, asked: str, permitted: Sequence[_Row]) -> list[str]:
        """The terms that an asked term stands for."""
        term = plain(asked)
        known = {known for row in self._rows for known in row.fields["f5"]}
        if asked.endswith("*"):
            begun = [k for k in known if len(k) == len("kazas") and k.startswith(term)]
            return [term, *sorted(set(begun) - {term})]
        return (
            [term] if term in known else [term, *(other for other in near(asked) if other in known)]
        )


def _is_of(chunk: StoredChunk, article: Article) -> bool:
    own = chunk.article
    return own is not None and (own.kind, own.number) == (article.kind, article.number)


def _holds(chunk: StoredChunk, article: Article) -> bool:
    """True if a chunk of the article holds a paragraph that is named."""
    own, first, last = chunk.article, article.paragraph_first, article.paragraph_last
    if own is None or own.paragraph_first is None or own.paragraph_last is None:
        return False
    if first is None or last is None:
        return False
    return own.paragraph_first <= last and own.paragraph_last >= first


def _search(name: str, scores: Mapping[int, float], k: int, legs: dict[int, list[Leg]]) -> None:
    """Add the legs of one search: highest score first, those equal to ten places by chunk id."""
    best = sorted(scores, key=lambda number: (-round(scores[number], 10), number))[:k]
    for rank, number in enumerate(best, start=1):
        legs.setdefault(number, []).append(Leg(name=name, score=scores[number], rank=rank))


def _moved(
    vector: Vectors | None, cosines: Mapping[int, float], rows: Mapping[int, _Row]
) -> Vectors | None:
    """The question moved by a fifth of the mean of its three best dense results, of length 1."""
    best = sorted(cosines, key=lambda number: (-cosines[number], number))[:3]
    vectors = [found for number in best if (found := rows[number].vector) is not None]
    if vector is None or not vectors:
        return None
    moved = vector + 0.2 * np.mean(vectors, axis=0)
    return np.asarray(moved / np.linalg.norm(moved), dtype=np.float32)


def _cosine(row: _Row, vector: Vectors | None) -> float | None:
    if row.vector is None or vector is None:
        return None
    return float(np.dot(row.vector, vector))
