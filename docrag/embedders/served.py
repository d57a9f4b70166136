"""What every embedder on a server shares: batches, bad texts named, one vector for a question."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from docrag.api import EmbedderError, SettingsError, Vectors, check_counts, check_timeout
from docrag.embedders.bisection import embed_batches
from docrag.embedders.endpoint import embedder_at
from docrag.embedders.rows import clean, first, unit_rows


class ServedEmbedder(ABC):
    """Embeds on a server, a batch a request. Thread-safe.

    A kind of server derives from it, and gives body and rows of one request.
    """

    def __init__(
        self,
        *,
        name: str,
        url: str,
        path: str,
        model: str,
        dim: int,
        timeout: float,
        batch_size: int,
        api_key: str,
        ca_file: str,
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param name: what messages call the server.
        :param url: address of the API.
        :param path: appended to the address unless it is there.
        :param model: name that the server knows.
        :param dim: numbers in each vector.
        :param timeout: seconds that one request may take, with its further tries.
        :param batch_size: most texts in one request.
        :param api_key: bearer token; empty sends none.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        check_counts(dim=dim, batch_size=batch_size)
        check_timeout(timeout)
        if not isinstance(model, str):
            raise SettingsError(f"model must be a text, not {model!r:.80}")
        self.model_id = model
        self.dim = dim
        #: Texts of one request; whoever has more to embed hands over as many at a time.
        self.batch_size = batch_size
        self._timeout, self._path = timeout, path
        self._endpoint = embedder_at(
            url,
            name=name,
            path=path,
            api_key=api_key,
            ca_file=ca_file,
            timeout=timeout,
            numbers=batch_size * dim,
        )

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

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of one batch, in one request."""
        answer = self._endpoint.post(self._body(texts), end=time.monotonic() + self._timeout)
        rows = self._rows(answer, len(texts))
        if rows is None:
            raise EmbedderError(
                f"{self._endpoint.label} does not answer like {self._path}; check the option url"
            )
        return unit_rows(rows, count=len(texts), dim=self.dim, model_id=self.model_id)

    @abstractmethod
    def _body(self, texts: Sequence[str]) -> Mapping[str, Any]:
        """The request for a batch."""

    @abstractmethod
    def _rows(self, answer: Any, count: int) -> object:  # noqa: ANN401 - parsed JSON
        """A table of numbers in input order, not checked; ``None`` for a foreign answer."""
