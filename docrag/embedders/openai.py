"""Embedding by any server that speaks OpenAI's embeddings API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
        :param timeout: seconds that one request may take, with its further tries.
        :param batch_size: most texts in one request.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        super().__init__(
            name="the embeddings server",
            url=url,
            path="/embeddings",
            model=model,
            dim=dim,
            timeout=timeout,
            batch_size=batch_size,
            api_key=api_key,
            ca_file=ca_file,
        )

    def _body(self, texts: Sequence[str]) -> dict[str, Any]:
        return {"model": self.model_id, "input": list(texts), "encoding_format": "float"}

    def _rows(self, answer: Any, count: int) -> list[object] | None:  # noqa: ANN401 - parsed JSON
        """Embeddings in input order, by their ``index``."""
        try:
            rows = {int(item["index"]): item["embedding"] for item in answer["data"]}
        except (KeyError, TypeError, ValueError, OverflowError):
            return None
        if set(rows) != set(range(count)):
            return None
        return [rows[index] for index in range(count)]
