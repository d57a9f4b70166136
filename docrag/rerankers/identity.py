"""The reranker that changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from docrag.api import ScoredChunk


class IdentityReranker:
    """Leaves the retriever's order as it is. Stateless, so thread-safe."""

    def rerank(self, query: str, chunks: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        """The same chunks in the same order, as a new list."""
        return list(chunks)
