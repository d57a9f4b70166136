"""What every embedder on a server shares: batches, bad texts named, one vector for a question."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from docrag.api import Vectors
from docrag.embedders.bisection import embed_batches
from docrag.embedders.endpoint import Endpoint
from docrag.embedders.rows import clean, first


class ServedEmbedder(ABC):
    """Embeds on a server, a batch a request. Thread-safe."""

    def __init__(self, endpoint: Endpoint, *, model: str, dim: int, batch_size: int) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name that the server knows.
        :param dim: numbers in each vector.
        :param batch_size: most texts in one request.
        :raises ValueError: ``batch_size`` is below 1.
        """
        if batch_size < 1:
            raise ValueError(f"batch_size must be 1 or more, not {batch_size}")
        self.model_id = model
        self.dim = dim
        #: Texts of one request; whoever has more to embed hands over as many at a time.
        self.batch_size = batch_size
        self._endpoint = endpoint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts.

        :returns: float32 ``(len(texts), dim)``, rows of length 1, in input order.
        :raises EmbedderError: no usable answer; ``indices`` name the texts if only some failed.
        """
        return embed_batches(
            clean(texts),
            self._embed,
            dim=self.dim,
            batch_size=self.batch_size,
            model_id=self.model_id,
        )

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, float32 ``(dim,)``.

        :raises EmbedderError: as for documents.
        """
        return first(self._embed(clean([text])))

    @abstractmethod
    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of one batch, in one request."""
