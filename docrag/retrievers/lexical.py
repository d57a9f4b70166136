"""Lexical retrieval: chunks that share words with the question."""

from __future__ import annotations

from docrag.api import Access, ChunkStore, Embedder, ScoredChunk
from docrag.retrievers.equivalents import Groups
from docrag.retrievers.hybrid import POOL, HybridRetriever


class LexicalRetriever:
    """Permitted chunks by words, letters and word pairs; needs no model. Thread-safe."""

    def __init__(
        self,
        *,
        store: ChunkStore,
        embedder: Embedder | None = None,
        pool: int = POOL,
        equivalents: Groups = (),
    ) -> None:
        """Take a store.

        :param embedder: not used; taken because every retriever is offered one.
        :param pool: candidates of the lexical search that are scored, 1 to 1,000.
        :param equivalents: lists of phrases that mean the same, beside the built-in ones.
        :raises SettingsError: ``pool`` is out of its range, or ``equivalents`` malformed.
        """
        self._words = HybridRetriever(
            store=store, embedder=None, pool=pool, equivalents=equivalents
        )

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, best first; the score is a sum of BM25, above 0.

        Articles that the question names come before all others.

        :param query: its last 1,000 characters count; one without words finds nothing.
        :param access: no roles find nothing; the store is then not asked.
        :raises ValueError: ``k`` is not 1 to 1,000.
        """
        return self._words.retrieve(query, access=access, k=k)
