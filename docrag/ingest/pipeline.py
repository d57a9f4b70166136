"""The ingest pipeline: detect, load, chunk, embed, index; all or nothing for a document."""

from __future__ import annotations

import hashlib
import inspect
import logging
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import islice
from typing import Any

from docrag.api import (
    Chunk,
    Chunker,
    DocumentError,
    Embedder,
    Loader,
    Page,
)
from docrag.ingest.detect import LONGEST_SECTION, check, one_line, shortened
from docrag.ingest.embedding import Embedded, Embedding
from docrag.ingest.indexing import grams_of, terms_of, texts_of
from docrag.ingest.language import detect
from docrag.ingest.plan import Plan, Plans
from docrag.store import Store
from docrag.store.publishing import SpaceChanged
from docrag.store.records import Document, Space
from docrag.store.runs import Run

logger = logging.getLogger(__name__)

#: Receives stage, units done and units in all, as a run goes on.
Progress = Callable[[str, int, int], None]
#: Times that a document is cut and embedded, at most, when spaces are switched meanwhile.
SWITCHES = 3


class Pipeline:
    """Makes stored documents searchable. Thread-safe: it keeps no state of a run."""

    def __init__(
        self,
        *,
        store: Store,
        loader: Callable[[str], Loader],
        suffixes: Sequence[str],
        chunker: Chunker,
        embedder: Embedder | None,
        batch: int,
        most_chunks: int,
        plans: Plans | None = None,
    ) -> None:
        """Keep the parts.

        :param loader: gives the loader of a suffix.
        :param suffixes: suffixes that have a loader.
        :param embedder: ``None`` indexes words only.
        :param batch: chunks embedded at a time.
        :param most_chunks: chunks of one document; a longer one is refused.
        :param plans: which chunker and embedder, by the space that is searched; those given if
            ``None``.
        """
        self._store = store
        self._loader = loader
        self._suffixes = tuple(suffixes)
        today = Plan(chunker=chunker, embedder=embedder)
        self._plans = plans or Plans(store=store, today=today)
        self._batch = batch
        self._most_chunks = most_chunks

    def run(self, document: Document, report: Progress, *, run: Run | None = None) -> None:
        """Read, cut, embed and index one stored document.

        A run that was broken off goes on from what it kept: loaders that take a ``checkpoint``
        keep their pages, and vectors are kept as far as they took their time.

        :param report: what it raises ends the run and, with it, the loader's child process.
        :param run: of the job, which is done in the transaction that makes the document ready.
        :raises DocumentError: the file cannot be made searchable; the message tells a clerk why.
        :raises EmbedderError: the embedder failed as a whole, or for every chunk.
        :raises SettingsError: the documents were embedded with another model or chunking.
        :raises UnknownName: the run is over.
        """
        report("detect", 0, 0)
        data = self._store.documents.file(document.id)
        suffix = check(data, filename=document.filename, known=self._suffixes)
        pages = self._load(document, data, suffix, report)
        del data
        for _ in range(SWITCHES - 1):
            try:
                return self._index(document, pages, report, run)
            except SpaceChanged:
                # Pages are pages; chunks and vectors are those of the space that came.
                logger.info("%s is embedded anew: spaces were switched", document.id)
        return self._index(document, pages, report, run)

    def _index(
        self, document: Document, pages: Sequence[Page], report: Progress, run: Run | None
    ) -> None:
        """Cut, embed and publish the pages, as the space that is searched has it.

        :raises SpaceChanged: another one is searched by now.
        """
        plan, space = self._plans.current()
        chunks = self._chunk(plan.chunker, pages, document.filename, report)
        embedded = self._embed(plan, chunks, document, space, report)
        texts = texts_of(embedded.chunks, document.title)
        language = detect([page.text for page in pages])
        report("index", 0, len(embedded.chunks))
        self._store.documents.add(
            document.id,
            pages=pages,
            chunks=embedded.chunks,
            vectors=embedded.vectors,
            space_id=space.id if space else None,
            terms=terms_of(texts, language),
            language=language,
            grams=grams_of(texts),
            warnings=[_warning(page) for page in pages if page.warning] + list(embedded.warnings),
            run=run,
        )

    def _load(self, document: Document, data: bytes, suffix: str, report: Progress) -> list[Page]:
        report("load", 0, 0)
        pages: list[Page] = []
        found = iter(self._read(document, data, suffix, report))
        try:
            for page in found:
                section = shortened(one_line(page.section), LONGEST_SECTION)
                pages.append(replace(page, section=section))
                report("load", len(pages), 0)
        finally:
            # At once, and not when the generator is forgotten: its child process ends with it.
            if isinstance(found, Generator):
                found.close()
        report("load", len(pages), len(pages))
        return pages

    def _read(
        self, document: Document, data: bytes, suffix: str, report: Progress
    ) -> Iterable[Page]:
        """The loader's pages, from its checkpoint where it takes one."""
        loader = self._loader(suffix)
        more: dict[str, Any] = {}
        if "checkpoint" in inspect.signature(loader.load).parameters:
            key = ":".join((hashlib.sha256(data).hexdigest(), *_identity(loader)))
            # A loader may give its pages all at once, at the end; what it keeps tells how it is.
            more["checkpoint"] = self._store.staged.checkpoint(
                document.id, key=key, report=lambda done, total: report("load", done, total)
            )
        return loader.load(data, filename=document.filename, **more)

    def _chunk(
        self, chunker: Chunker, pages: Sequence[Page], filename: str, report: Progress
    ) -> list[Chunk]:
        chunks: list[Chunk] = []
        report("chunk", 0, 0)
        # One more than allowed tells a document that is too long, and no more of it is cut.
        for chunk in islice(chunker.split(pages), self._most_chunks + 1):
            chunks.append(chunk)
            report("chunk", len(chunks), 0)
        if len(chunks) > self._most_chunks:
            raise DocumentError(
                f"{filename!r} has more text than {self._most_chunks} chunks hold; split it into "
                "smaller documents, or raise DOCRAG_DOCUMENT_CHUNKS"
            )
        report("chunk", len(chunks), len(chunks))
        if not chunks:
            raise DocumentError(f"{filename!r} holds no text that can be searched")
        return chunks

    def _embed(
        self,
        plan: Plan,
        chunks: Sequence[Chunk],
        document: Document,
        space: Space | None,
        report: Progress,
    ) -> Embedded:
        if plan.embedder is None or space is None:
            return Embedded(chunks=tuple(chunks), vectors=None)
        embedding = Embedding(
            embedder=plan.embedder,
            space_id=space.id,
            staged=self._store.staged,
            batch=plan.batch(self._batch),
        )
        return embedding.embed(
            document.id,
            chunks,
            title=document.title,
            report=lambda done, total: report("embed", done, total),
        )


def _identity(loader: Loader) -> tuple[str, ...]:
    """What tells one reader of files from another: class, release, and its own ``fingerprint``."""
    kind = type(loader)
    own = str(getattr(loader, "fingerprint", ""))
    return (f"{kind.__module__}.{kind.__qualname__}", version("docrag"), own)


def _warning(page: Page) -> str:
    """What is wrong with a page; a text that does not name it is put behind its number."""
    if page.number is None or re.search(rf"\b{page.number}\b", page.warning):
        return page.warning
    return f"page {page.number}: {page.warning}"
