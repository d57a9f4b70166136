"""Embedding by any server that speaks OpenAI's embeddings API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docrag.api import EmbedderError, Vectors
from docrag.embedders.endpoint import Endpoint
from docrag.embedders.rows import unit_rows
from docrag.embedders.served import ServedEmbedder


class OpenAIEmbedder(ServedEmbedder):
    """Vectors of an OpenAI-compatible server (``POST {url}/embeddings``). Thread-safe.

    vLLM, llama.cpp, text-embeddings-inference, LocalAI and others speak it. There is no default
    address, so that no text leaves for a cloud because an option was forgotten.
    """

    def __init__(
        self,
        *,
        model: str,
        url: str,
        dim: int,
        api_key: str = "",
        timeout: float = 60.0,
        batch_size: int = 16,
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name that the server knows.
        :param url: address of the API, usually ending in ``/v1``.
        :param dim: numbers in each of the model's vectors.
        :param api_key: bearer token; empty sends none.
        :param timeout: seconds between bytes of an answer.
        :param batch_size: most texts in one request.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: ``url`` is not an HTTP address, or ``ca_file`` is not there.
        """
        endpoint = Endpoint(
            name="the embeddings server", url=url, api_key=api_key, timeout=timeout, ca_file=ca_file
        )
        super().__init__(endpoint, model=model, dim=dim, batch_size=batch_size)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        body = {"model": self.model_id, "input": list(texts), "encoding_format": "float"}
        answer = self._endpoint.post("/embeddings", body)
        rows = _rows(answer, len(texts))
        if rows is None:
            raise EmbedderError(
                f"{self._endpoint.address} does not answer like OpenAI's /embeddings; "
                "check the option url"
            )
        return unit_rows(rows, count=len(texts), dim=self.dim, model_id=self.model_id)


def _rows(answer: Any, count: int) -> list[object] | None:  # noqa: ANN401 - parsed JSON
    """Embeddings in input order, by their ``index``; ``None`` if the shape is another."""
    try:
        rows = {int(item["index"]): item["embedding"] for item in answer["data"]}
    except (KeyError, TypeError, ValueError):
        return None
    if set(rows) != set(range(count)):
        return None
    return [rows[index] for index in range(count)]
