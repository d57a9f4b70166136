"""Reranking by a model behind HTTP: TEI, llama.cpp, vLLM, Infinity, Jina, Cohere, Voyage."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from docrag.api import (
    Leg,
    RerankerError,
    ScoredChunk,
    SettingsError,
    check_counts,
    check_timeout,
)
from docrag.rerankers.answers import scores
from docrag.rerankers.endpoint import reranker_at
from docrag.rerankers.passages import passage, shortened
from docrag.rerankers.shapes import shape_of

logger = logging.getLogger(__name__)

#: Name of the leg that a reranked chunk gets.
LEG: Final = "rerank"
#: What the option ``on_error`` takes.
FAIL, KEEP = "fail", "keep"


class HttpReranker:
    """Orders chunks by the scores of a server's rerank model. Thread-safe, cheap to construct.

    There is no default address, so that no text leaves for a cloud because an option was forgotten.
    Scores are on the model's own scale, logits or 0 to 1, and comparable within one answer only.
    """

    def __init__(
        self,
        *,
        url: str,
        shape: str = "jina",
        model: str = "",
        api_key: str = "",
        timeout: float = 30.0,
        batch_size: int = 32,
        max_characters: int = 2000,
        on_error: str = FAIL,
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param url: address of the API; ``/rerank`` is appended unless it is there.
        :param shape: whose requests the server takes, one of
            :data:`docrag.rerankers.shapes.SHAPES`.
        :param model: name that the server knows; empty where it has only one.
        :param api_key: bearer token; empty sends none.
        :param timeout: seconds that one question may take, all its requests together; a server
            that stops in the middle of an answer can take them twice.
        :param batch_size: most documents in one request. A model that compares documents with each
            other needs all in one: give it at least ``DOCRAG_RERANK_K``.
        :param max_characters: most characters of the question and of a document with its title;
            longer ones are cut at a word.
        :param on_error: ``fail`` raises what went wrong; ``keep`` logs it and keeps the order in
            which the chunks came.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        if on_error not in (FAIL, KEEP):
            raise SettingsError(f"on_error is {on_error!r}; choose {FAIL} or {KEEP}")
        check_counts(batch_size=batch_size, max_characters=max_characters)
        check_timeout(timeout)
        if not isinstance(model, str):
            raise SettingsError(f"model must be a text, not {model!r:.80}")
        self._shape = shape_of(shape)
        self._endpoint = reranker_at(url, api_key=api_key, ca_file=ca_file)
        self._model = model
        self._timeout = timeout
        self._batch_size = batch_size
        self._max_characters = max_characters
        self._on_error = on_error

    def rerank(self, query: str, chunks: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        """The same chunks, best first, each with the model's score and a ``rerank`` leg.

        Equal scores keep the order in which the chunks came. Nothing is sent for no chunks or an
        empty question: the chunks come back as they are.

        :raises RerankerError: the server failed or answered nonsense, unless ``on_error`` is
            ``keep``.
        """
        given = list(chunks)
        question = shortened(query, self._max_characters)
        if not given or not question:
            return given
        try:
            return _ordered(given, self._scores(question, given))
        except RerankerError as exc:
            if self._on_error == FAIL:
                raise
            logger.warning("not reranked: %s", exc, extra={"action": "rerank_failed"})
            return given

    def _scores(self, question: str, given: Sequence[ScoredChunk]) -> list[float]:
        """A score for every chunk, in the order given."""
        end = time.monotonic() + self._timeout
        documents = [passage(item.chunk, self._max_characters) for item in given]
        found: list[float] = []
        for start in range(0, len(documents), self._batch_size):
            batch = documents[start : start + self._batch_size]
            answer = self._endpoint.post(self._shape.body(self._model, question, batch), end=end)
            found += scores(answer, count=len(batch), label=self._endpoint.label)
        return found


def _ordered(given: Sequence[ScoredChunk], found: Sequence[float]) -> list[ScoredChunk]:
    """The chunks by falling score; sorting is stable, so that ties keep their order."""
    ranked = sorted(zip(given, found, strict=True), key=lambda pair: -pair[1])
    return [
        replace(item, score=score, legs=(*item.legs, Leg(name=LEG, score=score, rank=rank)))
        for rank, (item, score) in enumerate(ranked, start=1)
    ]
