"""Embedding by an Ollama server."""

from __future__ import annotations

from collections.abc import Sequence

from docrag.api import EmbedderError, Vectors
from docrag.embedders.endpoint import Endpoint
from docrag.embedders.rows import unit_rows
from docrag.embedders.served import ServedEmbedder


class OllamaEmbedder(ServedEmbedder):
    """Vectors of a model that an Ollama server runs (``POST /api/embed``). Thread-safe.

    Texts are never cut behind the caller's back: one that is too long for the model is named in
    the error, as is one for which the model computes no number.
    """

    def __init__(
        self,
        *,
        model: str = "bge-m3",
        url: str = "http://127.0.0.1:11434",
        dim: int = 1024,
        timeout: float = 60.0,
        batch_size: int = 16,
        api_key: str = "",
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name of an embedding model, pulled beforehand (``ollama pull bge-m3``).
        :param dim: numbers in each of its vectors.
        :param timeout: seconds between bytes of an answer.
        :param batch_size: most texts in one request.
        :param api_key: bearer token for a proxy in front of Ollama; empty sends none.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: ``url`` is not an HTTP address, or ``ca_file`` is not there.
        """
        endpoint = Endpoint(
            name="Ollama", url=url, api_key=api_key, timeout=timeout, ca_file=ca_file
        )
        super().__init__(endpoint, model=model, dim=dim, batch_size=batch_size)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        body = {"model": self.model_id, "input": list(texts), "truncate": False}
        answer = self._endpoint.post("/api/embed", body)
        if not isinstance(answer, dict) or "embeddings" not in answer:
            raise EmbedderError(
                f"{self._endpoint.address} does not answer like Ollama's /api/embed; "
                "check the option url"
            )
        return unit_rows(
            answer["embeddings"], count=len(texts), dim=self.dim, model_id=self.model_id
        )
