"""A chunk store that remembers one question's answers, so that the second stage is timed alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docrag.api import (
    Access,
    Article,
    Candidate,
    ChunkStore,
    FieldStatistics,
    StoredChunk,
    Vectors,
    c4,
)


class Remembered:
    """Candidates and statistics of the last question, asked of a real store before."""

    def __init__(self, store: ChunkStore) -> None:
        self._store = store
        self._statistics: dict[str, FieldStatistics] = {}
        self._weight: float | None = None
        self.found: list[Candidate] = []

    def count(self, question: str) -> None:
        """Ask for what the second stage wants to know beside what candidates carry."""
        self._statistics = {"c4": self._store.statistics("c4", c4(question))}
        self._weight = self._store.cosine_weight()

    def candidates(
        self, *, terms: Sequence[str], vector: Vectors | None, access: Access, k: int
    ) -> list[Candidate]:
        """Ask the real store, and remember."""
        self.found = self._store.candidates(terms=terms, vector=vector, access=access, k=k)
        return self.found

    def named_beside(
        self, articles: Sequence[Article], documents: Collection[str], *, access: Access, k: int
    ) -> tuple[list[StoredChunk], frozenset[str]]:
        """Ask the real store: few questions name an article."""
        return self._store.named_beside(articles, documents, access=access, k=k)

    def statistics(self, field: str, terms: Sequence[str]) -> FieldStatistics:
        """What was counted before."""
        return self._statistics[field]

    def cosine_weight(self) -> float | None:
        """What was read before."""
        return self._weight
