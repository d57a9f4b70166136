"""Embedding by an Ollama server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
        :param timeout: seconds that one request may take, with its further tries.
        :param batch_size: most texts in one request.
        :param api_key: bearer token for a proxy in front of Ollama; empty sends none.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        super().__init__(
            name="Ollama",
            url=url,
            path="/api/embed",
            model=model,
            dim=dim,
            timeout=timeout,
            batch_size=batch_size,
            api_key=api_key,
            ca_file=ca_file,
        )

    def _body(self, texts: Sequence[str]) -> dict[str, Any]:
        return {"model": self.model_id, "input": list(texts), "truncate": False}

    def _rows(self, answer: Any, count: int) -> object:  # noqa: ANN401 - parsed JSON
        if not isinstance(answer, dict) or "embeddings" not in answer:
            return None
        return answer["embeddings"] or ()
