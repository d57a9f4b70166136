"""Fills spaces with vectors between ingest jobs, a few seconds at a time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from docrag.api import (
    Chunk,
    DocumentError,
    Embedder,
    EmbedderError,
    StoreError,
    StoreUnavailable,
    Vectors,
    indexed,
)
from docrag.ingest.embedding import Embedding
from docrag.ingest.halving import halves
from docrag.ingest.plan import Plan, Plans
from docrag.store import Store
from docrag.store.contents import comparable
from docrag.store.records import Space
from docrag.store.refills import BareChunk, Unfilled
from docrag.store.staged import StagedVector
from docrag.store.switches import LOST, digest

logger = logging.getLogger(__name__)

#: Seconds after which a step ends, so that a document that has come waits no longer than that.
STEP: Final = 5.0
#: Seconds without a look where nothing was missing, and after the embedder or the database failed.
REST: Final = 5.0
FAILED_REST: Final = 30.0
#: Seconds after which a document that the embedder refused as a whole is tried again.
HOPELESS: Final = 600.0


class Pause(Exception):  # noqa: N818 - no error: it ends a step in its middle
    """The step is over; the next one goes on."""


class Filling:
    """Gives documents the vectors that a space lacks. For one thread; processes share the work.

    Filled are the space that comes next, the one before (for a way back) and the active one (for
    documents that were read without an embedder), as far as an embedder is configured for them.
    """

    def __init__(self, *, store: Store, plans: Callable[[], Plans], batch: int) -> None:
        """Keep the parts.

        :param plans: gives the configured plans; called at each step, so they may be built late.
        :param batch: chunks embedded at a time.
        """
        self._store = store
        self._plans = plans
        self._batch = batch
        self._due = 0.0
        self._ends = 0.0
        #: When a document could not be embedded, by space and document.
        self._hopeless: dict[tuple[int, int], float] = {}

    def wake(self) -> None:
        """Look at the next step, whatever the last one found."""
        self._due = 0.0

    def step(self) -> bool:
        """Work for a few seconds; false if nothing is missing, or nothing can be done now.

        :raises StoreUnavailable: the database cannot be reached.
        :raises SettingsError: the settings of an embedder or a chunker are wrong.
        :raises PluginError: one of them cannot be used.
        """
        if time.monotonic() < self._due:
            return False
        self._ends = time.monotonic() + STEP
        try:
            if any(self._fill(space, plan) for space, plan in self._targets()):
                return True
        except StoreUnavailable:
            raise
        except (EmbedderError, StoreError) as exc:
            # A space that was removed meanwhile is a StoreError too.
            logger.warning("nothing was embedded anew: %s", exc, extra={"action": "reindex_waits"})
            self._due = time.monotonic() + FAILED_REST
            return False
        self._due = time.monotonic() + REST
        return False

    def _targets(self) -> Iterator[tuple[Space, Plan]]:
        plans, spaces = self._plans(), self._store.spaces
        for space in (spaces.active(), spaces.building(), spaces.before()):
            plan = None if space is None else plans.of(space)
            if space is not None and plan is not None:
                yield space, plan

    def _fill(self, space: Space, plan: Plan) -> bool:
        """One document, or as much of it as the step has time for; false if none is missing."""
        searched = self._store.spaces.active()
        if searched is None:
            return False
        with self._store.refills.claim(space, skip=self._skipped(space)) as document:
            if document is None:
                return False
            try:
                self._complete(space, plan, document, searched)
            except Pause:
                logger.debug("%s is continued later", document.public_id)
            except (DocumentError, EmbedderError) as exc:
                if isinstance(exc, EmbedderError) and not exc.indices:
                    raise
                self._hopeless[space.id, document.id] = time.monotonic()
                extra = {"action": "reindex_refused", "document": document.public_id}
                logger.warning("document %s: %s", document.public_id, exc, extra=extra)
        return True

    def _complete(self, space: Space, plan: Plan, document: Unfilled, searched: Space) -> None:
        """Embed what is missing of a document, and note that the space holds it."""
        refills = self._store.refills
        if searched.chunking != space.chunking:
            warnings = self._prepare(space, plan, document)
            refills.hold(space, document, searched=searched, warnings=warnings)
            return
        warnings = self._embed_chunks(space, plan, document)
        if refills.hold(space, document, searched=searched, warnings=warnings):
            refills.forget_staged(space, document)

    def _skipped(self, space: Space) -> list[int]:
        """Documents that could not be embedded a short while ago."""
        since = time.monotonic() - HOPELESS
        found = self._hopeless.items()
        return [
            document for (number, document), when in found if number == space.id and when > since
        ]

    def _embed_chunks(self, space: Space, plan: Plan, document: Unfilled) -> Sequence[str]:
        """Write vectors of the stored chunks straight into the space; warnings of those without."""
        store, embedder = self._store, _embedder(plan)
        bare = store.refills.bare(space, document)
        kept = store.staged.vectors(document.public_id, space_id=space.id)
        refused = {key for key, vector in kept.items() if vector.vector is None}
        todo = [item for item in bare if _digest(item, document) not in refused]
        size = plan.batch(self._batch)
        for start in range(0, len(todo), size):
            if start and time.monotonic() > self._ends:
                raise Pause
            batch = todo[start : start + size]
            rows = whole_vectors(embedder, [item.chunk for item in batch], document.title)
            good = [
                (item.id, row) for item, row in zip(batch, rows, strict=True) if row is not None
            ]
            if good:
                store.refills.write(space, [key for key, _ in good], np.stack([v for _, v in good]))
            bad = [item for item, row in zip(batch, rows, strict=True) if row is None]
            refused |= {_digest(item, document) for item in bad}
            self._keep_refused(space, document, bad)
        lost = [item.chunk for item in bare if _digest(item, document) in refused]
        return [_lost(chunk, embedder) for chunk in lost]

    def _keep_refused(self, space: Space, document: Unfilled, bad: Sequence[BareChunk]) -> None:
        vectors = [StagedVector(digest=_digest(item, document), vector=None) for item in bad]
        if vectors:
            self._store.staged.keep_vectors(document.public_id, space_id=space.id, vectors=vectors)

    def _prepare(self, space: Space, plan: Plan, document: Unfilled) -> Sequence[str]:
        """Cut the pages the space's way and keep the vectors until the switch; the warnings."""
        store = self._store
        chunks = list(plan.chunker.split(store.refills.pages(document)))
        if not chunks:
            raise DocumentError(f"{space.chunking} finds nothing to search in it")
        embedding = Embedding(
            embedder=_embedder(plan),
            space_id=space.id,
            staged=store.staged,
            batch=plan.batch(self._batch),
        )
        embedded = embedding.embed(
            document.public_id, chunks, title=document.title, report=self._report
        )
        if embedded.vectors is not None:
            vectors = [
                StagedVector(digest=digest(_text(chunk, document)), vector=vector)
                for chunk, vector in zip(embedded.chunks, embedded.vectors, strict=True)
            ]
            # The last batch too, which an ingest would write at once.
            store.staged.keep_vectors(document.public_id, space_id=space.id, vectors=vectors)
        return embedded.warnings

    def _report(self, done: int, total: int) -> None:
        if done < total and time.monotonic() > self._ends:
            raise Pause


def whole_vectors(embedder: Embedder, chunks: Sequence[Chunk], title: str) -> list[Vectors | None]:
    """The vector of each chunk; ``None`` where the embedder refuses just that one.

    A chunk that is too long for the model has the mean direction of its halves, since it can be
    cut no further: other vectors belong to the same chunk.

    :param title: of the document; it is embedded in front of each chunk.
    :raises EmbedderError: the embedder failed as a whole.
    """
    texts = [indexed(title, chunk.section, chunk.text) for chunk in chunks]
    try:
        return _usable(embedder.embed_documents(texts), len(texts), embedder)
    except EmbedderError as exc:
        if not exc.indices:
            raise
        bad, long = set(exc.indices), set(exc.too_long)
    good = [chunk for place, chunk in enumerate(chunks) if place not in bad]
    found = iter(whole_vectors(embedder, good, title) if good else ())
    return [
        next(found) if place not in bad else _mean(embedder, chunk, title, cut=place in long)
        for place, chunk in enumerate(chunks)
    ]


def _usable(rows: Vectors, count: int, embedder: Embedder) -> list[Vectors | None]:
    """The rows that a search can find.

    :raises EmbedderError: they are not as many, or not of the embedder's dimension.
    """
    if rows.shape != (count, embedder.dim):
        raise EmbedderError(
            f"{embedder.model_id!r} gave vectors of shape {rows.shape} for {count} texts; its "
            f"dimension is {embedder.dim}"
        )
    return [row if comparable(row[np.newaxis]) else None for row in rows]


def _mean(embedder: Embedder, chunk: Chunk, title: str, *, cut: bool) -> Vectors | None:
    """The mean direction of the halves, ``None`` where there are none or both are refused."""
    parts = halves(chunk) if cut else []
    rows = (
        [row for row in whole_vectors(embedder, parts, title) if row is not None] if parts else []
    )
    if not rows:
        return None
    total = np.sum(rows, axis=0)
    length = float(np.linalg.norm(total))
    mean: Vectors = (total / length).astype(np.float32) if length > 0 else rows[0]
    return mean


def _embedder(plan: Plan) -> Embedder:
    if plan.embedder is None:
        raise ValueError("a plan without an embedder fills nothing")
    return plan.embedder


def _text(chunk: Chunk, document: Unfilled) -> str:
    return indexed(document.title, chunk.section, chunk.text)


def _digest(item: BareChunk, document: Unfilled) -> bytes:
    return digest(_text(item.chunk, document))


def _lost(chunk: Chunk, embedder: Embedder) -> str:
    """What is wrong with a chunk, as people find it in its document."""
    name = f"chunk {chunk.ordinal + 1}" + (f" ({chunk.label})" if chunk.label else "")
    where = f" on page {chunk.page_first}" if chunk.page_first is not None else ""
    return f"{name}{where} {LOST} by {embedder.model_id} and is found by its words only"
