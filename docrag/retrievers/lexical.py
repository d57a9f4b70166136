"""Lexical retrieval: chunks that share words with the question."""

from __future__ import annotations

from docrag.api import Access, ChunkStore, Embedder, ScoredChunk, f5
from docrag.retrievers.question import searched
from docrag.retrievers.ranking import ranked


class LexicalRetriever:
    """Permitted chunks by BM25 over F5 terms; needs no model. Thread-safe if the store is."""

    def __init__(self, *, store: ChunkStore, embedder: Embedder | None = None) -> None:
        """Take a store.

        :param embedder: not used; taken because every retriever is offered one.
        """
        self._store = store

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, best first; the score is BM25, above 0.

        :param query: its last 1,000 characters count; one without words finds nothing.
        :param access: no roles find nothing; the store is then not asked.
        :raises ValueError: ``k`` is below 1.
        """
        if k < 1:
            raise ValueError(f"k must be 1 or more, not {k}")
        terms = f5(searched(query))
        if not terms or not access.roles:
            return []
        found = self._store.candidates(terms=terms, vector=None, access=access, k=k)
        return ranked(found, "lexical")[:k]
