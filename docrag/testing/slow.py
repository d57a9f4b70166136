"""An embedder that takes its time, so that a test can break in while it works."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from docrag.api import Embedder, Vectors


class SlowEmbedder:
    """Another embedder's vectors, a moment later. As thread-safe as that one."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        seconds: float,
        listen: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        """Keep the embedder whose vectors these are.

        :param seconds: pause before each batch of documents.
        :param listen: called with each batch that was embedded.
        """
        self._embedder = embedder
        self._seconds = seconds
        self._listen = listen
        self.model_id = embedder.model_id
        self.dim = embedder.dim

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The embedder's vectors, float32 ``(len(texts), dim)``, after the pause."""
        time.sleep(self._seconds)
        vectors = self._embedder.embed_documents(texts)
        if self._listen:
            self._listen(texts)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """The embedder's vector of one text, at once."""
        return self._embedder.embed_query(text)
