"""The embedding step: the chunks of one document with their vectors of one space."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from docrag.api import Chunk, Embedder, EmbedderError, Vectors, indexed
from docrag.ingest.halving import halves
from docrag.store.contents import comparable
from docrag.store.staged import Staged, StagedVector

logger = logging.getLogger(__name__)

#: Seconds of embedding that are worth a database transaction, which takes a few milliseconds. A
#: model takes more for a batch, so that each is kept; what takes less is made again sooner.
WORTH: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Chunks that have a vector, and what is wrong with the others."""

    #: Ordinals count from 0 without a gap.
    chunks: tuple[Chunk, ...]
    #: float32 ``(len(chunks), dim)``, or ``None`` where words alone are searched.
    vectors: Vectors | None
    #: What could not be embedded, for people.
    warnings: tuple[str, ...] = ()


class Embedding:
    """Embeds chunks for one space, and never a text twice. Thread-safe: no state of a run.

    For the space that is searched and for one to come alike::

        embedding = Embedding(embedder=embedder, space_id=space.id, staged=store.staged, batch=8)
        embedded = embedding.embed(document.id, chunks, title=document.title, report=report)

    Every batch but the last is kept in ``ingest_vectors`` as soon as it is there, by SHA-256 of
    what is embedded, so that a killed run repeats at most one batch; those of an embedder without a
    model are kept several at a time (:data:`WORTH`). The rows are removed by ``documents.add`` in
    the transaction that writes the vectors (``Contents.write``); whoever
    writes them elsewhere calls :func:`docrag.store.staged.clear` there. A text that the embedder
    refuses is remembered too; one that is too long is cut in halves until it fits.
    """

    def __init__(self, *, embedder: Embedder, space_id: int, staged: Staged, batch: int) -> None:
        """Keep the parts.

        :param space_id: the space of this embedder, see ``store.spaces``.
        :param batch: chunks embedded at a time.
        """
        self._embedder = embedder
        self._space = space_id
        self._staged = staged
        self._batch = batch

    def embed(
        self,
        document_id: str,
        chunks: Sequence[Chunk],
        *,
        title: str,
        report: Callable[[int, int], None],
    ) -> Embedded:
        """The chunks that can be embedded, over-long ones in pieces, each with its vector.

        :param document_id: public id of the document, under which vectors are kept.
        :param chunks: of one document, in order.
        :param title: of the document; it is embedded in front of each chunk.
        :param report: called with chunks done and chunks in all before each batch and at the end;
            what it raises ends the run, which then goes on from here.
        :raises EmbedderError: the embedder failed as a whole (no ``indices``), or for every chunk.
        :raises StoreUnavailable: the database cannot be reached.
        """
        known = self._staged.vectors(document_id, space_id=self._space)
        while True:
            pieces = [piece for chunk in chunks for piece in _fitting(chunk, title, known)]
            texts = {_digest(text): text for text in (_text(piece, title) for piece in pieces)}
            missing = [text for digest, text in texts.items() if digest not in known]
            if not missing:
                break
            made: list[StagedVector] = []
            since = time.monotonic()
            for batch, done in self._batches(missing):
                report(len(pieces) - len(missing) + done, len(pieces))
                made += self._vectors(batch)
                # Nothing comes after the last one that a killed run would have to repeat with it.
                is_late = time.monotonic() - since >= WORTH and done + len(batch) < len(missing)
                if is_late or any(vector.vector is None for vector in made):
                    self._staged.keep_vectors(document_id, space_id=self._space, vectors=made)
                    known.update((vector.digest, vector) for vector in made)
                    made, since = [], time.monotonic()
            known.update((vector.digest, vector) for vector in made)
        report(len(pieces), len(pieces))
        return _sorted_out(pieces, title, known)

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[Sequence[str], int]]:
        """The texts a batch at a time, each with the number of texts before it."""
        for start in range(0, len(texts), self._batch):
            yield texts[start : start + self._batch], start

    def _vectors(self, texts: Sequence[str]) -> list[StagedVector]:
        """What the embedder makes of each text; a refusal where it refuses just that one.

        :raises EmbedderError: it failed as a whole.
        """
        try:
            vectors = self._embedder.embed_documents(texts)
        except EmbedderError as exc:
            if not exc.indices:
                raise
            return self._without(texts, exc)
        if vectors.shape != (len(texts), self._embedder.dim):
            raise EmbedderError(
                f"{self._embedder.model_id!r} gave vectors of shape {vectors.shape} for "
                f"{len(texts)} texts; its dimension is {self._embedder.dim}"
            )
        # All at once first: a single bad one is rare.
        sound = comparable(vectors)
        usable = [sound or comparable(vectors[row : row + 1]) for row in range(len(texts))]
        return [
            StagedVector(digest=_digest(text), vector=vector if fine else None)
            for text, vector, fine in zip(texts, vectors, usable, strict=True)
        ]

    def _without(self, texts: Sequence[str], exc: EmbedderError) -> list[StagedVector]:
        """Refusals of the texts at fault, and vectors of the others in a second call."""
        bad = sorted(set(exc.indices))
        logger.warning("%d chunks were not embedded", len(bad), extra={"action": "embed_lost"})
        refused = [
            StagedVector(digest=_digest(texts[index]), vector=None, too_long=index in exc.too_long)
            for index in bad
        ]
        good = [text for index, text in enumerate(texts) if index not in bad]
        return refused + (self._vectors(good) if good else [])


def _fitting(chunk: Chunk, title: str, known: Mapping[bytes, StagedVector]) -> Iterator[Chunk]:
    """The chunk, or as many pieces of it as it takes until none is known to be too long."""
    kept = known.get(_digest(_text(chunk, title)))
    parts = halves(chunk) if kept is not None and kept.too_long else []
    if not parts:
        yield chunk
    for part in parts:
        yield from _fitting(part, title, known)


def _sorted_out(
    pieces: Sequence[Chunk], title: str, known: Mapping[bytes, StagedVector]
) -> Embedded:
    """Pieces that have a vector, and a warning for each of the others.

    :raises EmbedderError: none has one.
    """
    found = [(piece, known[_digest(_text(piece, title))].vector) for piece in pieces]
    kept = [(piece, vector) for piece, vector in found if vector is not None]
    if not kept:
        # With indices: trying the same texts again would not help.
        raise EmbedderError(
            "the embedder failed for every chunk of the document", indices=range(len(pieces))
        )
    return Embedded(
        # A chunk that was too long has become several, so the ordinals are given anew.
        chunks=tuple(replace(piece, ordinal=place) for place, (piece, _) in enumerate(kept)),
        vectors=np.stack([vector for _, vector in kept]),
        warnings=tuple(
            f"{_place(piece)} could not be embedded and is not found"
            for piece, vector in found
            if vector is None
        ),
    )


def _text(chunk: Chunk, title: str) -> str:
    """What is embedded of a chunk: its text below title and headings."""
    return indexed(title, chunk.section, chunk.text)


def _digest(embedded: str) -> bytes:
    return hashlib.sha256(embedded.encode(errors="surrogatepass")).digest()


def _place(chunk: Chunk) -> str:
    """A chunk as people find it in its document."""
    name = f"chunk {chunk.ordinal + 1}" + (f" ({chunk.label})" if chunk.label else "")
    if chunk.page_first is not None:
        return f"{name} on page {chunk.page_first}"
    return name + (f" in {chunk.section!r}" if chunk.section else "")
