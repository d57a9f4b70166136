"""Dense retrieval: chunks whose vectors are nearest to the question's."""

from __future__ import annotations

from docrag.api import Access, ChunkStore, Embedder, ScoredChunk, SettingsError
from docrag.retrievers.named import with_named
from docrag.retrievers.question import check_k, dated, searched
from docrag.retrievers.ranking import ranked


class DenseRetriever:
    """Permitted chunks by cosine to the question. Thread-safe if store and embedder are."""

    def __init__(self, *, store: ChunkStore, embedder: Embedder | None) -> None:
        """Tie a store to the embedder of its active space.

        :raises SettingsError: no embedder is configured.
        """
        if embedder is None:
            raise SettingsError(
                "the dense retriever needs an embedder: set DOCRAG_EMBEDDER, or choose "
                "DOCRAG_RETRIEVER=hybrid"
            )
        self._store = store
        self._embedder = embedder

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, best first; the score is the cosine, -1 to 1.

        Articles that the question names come before all others.

        :param query: its last 1,000 characters count; an empty one finds nothing.
        :param access: no roles find nothing; neither embedder nor store is then asked.
        :raises ValueError: ``k`` is not 1 to 1,000.
        :raises EmbedderError: the question could not be embedded.
        """
        check_k(k)
        text = searched(query)
        if not text or not access.roles:
            return []
        access = dated(access)
        vector = self._embedder.embed_query(text)
        found = self._store.candidates(terms=(), vector=vector, access=access, k=k)
        best = ranked(found, "dense")[:k]
        return with_named(text, best, store=self._store, access=access, k=k)
