"""The ingest pipeline: detect, load, chunk, embed, index; all or nothing for a document."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from docrag.api import (
    Chunk,
    Chunker,
    DocumentError,
    Embedder,
    EmbedderError,
    Loader,
    Page,
    SettingsError,
    Vectors,
    analysed,
    c4,
    indexed,
)
from docrag.ingest.detect import LONGEST_SECTION, check, one_line, shortened
from docrag.ingest.language import detect
from docrag.store import Store
from docrag.store.records import Document, GramCounts, Space

logger = logging.getLogger(__name__)

#: Receives stage, units done and units in all, as a run goes on.
Progress = Callable[[str, int, int], None]
#: Ends the chunking of a space: text is embedded below its title and headings, first form.
HEADED = "+h1"
#: Loaded pages between two progress reports.
PAGE_STEP = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Embedded:
    """Chunks that have a vector, and what is wrong with the others."""

    chunks: tuple[Chunk, ...]
    #: float32 ``(len(chunks), dim)``, or ``None`` without an embedder.
    vectors: Vectors | None
    warnings: tuple[str, ...]


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
    ) -> None:
        """Keep the parts.

        :param loader: gives the loader of a suffix.
        :param suffixes: suffixes that have a loader.
        :param embedder: ``None`` indexes words only.
        :param batch: chunks embedded at a time.
        :param most_chunks: chunks of one document; a longer one is refused.
        """
        self._store = store
        self._loader = loader
        self._suffixes = tuple(suffixes)
        self._chunker = chunker
        self._embedder = embedder
        self._batch = batch
        self._most_chunks = most_chunks

    def run(self, document: Document, report: Progress) -> None:
        """Read, cut, embed and index one stored document.

        :raises DocumentError: the file cannot be made searchable; the message tells a clerk why.
        :raises EmbedderError: the embedder failed for every chunk.
        :raises SettingsError: the documents were embedded with another model or chunking.
        """
        report("detect", 0, 0)
        data = self._store.documents.file(document.id)
        suffix = check(data, filename=document.filename, known=self._suffixes)
        pages = self._load(data, document.filename, suffix, report)
        chunks = self._chunk(pages, document.filename, report)
        space = self._space()
        embedded = self._embed(chunks, document.title, report)
        texts = _indexed(embedded.chunks, document.title)
        language = detect([page.text for page in pages])
        report("index", 0, len(embedded.chunks))
        self._store.documents.add(
            document.id,
            pages=pages,
            chunks=embedded.chunks,
            vectors=embedded.vectors,
            space_id=space.id if space else None,
            terms=_terms(texts, language),
            language=language,
            grams=_grams(texts),
            warnings=[page.warning for page in pages if page.warning] + list(embedded.warnings),
        )
        report("index", len(embedded.chunks), len(embedded.chunks))

    def _load(self, data: bytes, filename: str, suffix: str, report: Progress) -> list[Page]:
        pages: list[Page] = []
        for page in self._loader(suffix).load(data, filename=filename):
            section = shortened(one_line(page.section), LONGEST_SECTION)
            pages.append(replace(page, section=section))
            if len(pages) % PAGE_STEP == 1:
                report("load", len(pages), 0)
        report("load", len(pages), len(pages))
        return pages

    def _chunk(self, pages: Sequence[Page], filename: str, report: Progress) -> list[Chunk]:
        # One more than allowed tells a document that is too long, and no more of it is cut.
        chunks = list(islice(self._chunker.split(pages), self._most_chunks + 1))
        if len(chunks) > self._most_chunks:
            raise DocumentError(
                f"{filename!r} has more text than {self._most_chunks} chunks hold; split it into "
                "smaller documents, or raise DOCRAG_DOCUMENT_CHUNKS"
            )
        report("chunk", len(chunks), len(chunks))
        if not chunks:
            raise DocumentError(f"{filename!r} holds no text that can be searched")
        return chunks

    def _space(self) -> Space | None:
        if self._embedder is None:
            return None
        space = self._store.spaces.ensure(
            model_id=self._embedder.model_id,
            dim=self._embedder.dim,
            chunking=f"{self._chunker.fingerprint}{HEADED}",
        )
        active = self._store.spaces.active()
        if active is None or active.id != space.id:
            used = f"{active.model_id} ({active.chunking})" if active else "nothing"
            raise SettingsError(
                f"stored documents are embedded with {used}, but the settings now give "
                f"{space.model_id} ({space.chunking}); set DOCRAG_EMBEDDER, DOCRAG_CHUNKER and "
                "DOCRAG_CHUNK_SIZE back, or start with an empty database"
            )
        return space

    def _embed(self, chunks: Sequence[Chunk], title: str, report: Progress) -> _Embedded:
        """Embed in batches; a chunk that fails alone is left out and named."""
        if self._embedder is None:
            return _Embedded(chunks=tuple(chunks), vectors=None, warnings=())
        done: list[tuple[Chunk, Vectors | None]] = []
        for start in range(0, len(chunks), self._batch):
            report("embed", start, len(chunks))
            done += self._embed_batch(chunks[start : start + self._batch], title)
        report("embed", len(chunks), len(chunks))
        done.sort(key=lambda pair: pair[0].ordinal)
        kept = [(chunk, row) for chunk, row in done if row is not None]
        if not kept:
            raise EmbedderError("the embedder failed for every chunk of the document")
        return _Embedded(
            # A chunk that was too long has become several, so the ordinals are given anew.
            chunks=tuple(replace(chunk, ordinal=i) for i, (chunk, _) in enumerate(kept)),
            vectors=np.stack([row for _, row in kept]),
            warnings=tuple(
                f"{_place(chunk)} could not be embedded" for chunk, row in done if row is None
            ),
        )

    def _embed_batch(
        self, batch: Sequence[Chunk], title: str
    ) -> list[tuple[Chunk, Vectors | None]]:
        """Each chunk with its vector, or with ``None`` where the embedder refuses just it."""
        if self._embedder is None:
            return [(chunk, None) for chunk in batch]
        try:
            vectors = self._embedder.embed_documents(_indexed(batch, title))
        except EmbedderError as exc:
            if not exc.indices:
                raise
            bad = set(exc.indices)
            logger.warning("%d chunks were not embedded", len(bad), extra={"action": "embed_lost"})
            good = [chunk for index, chunk in enumerate(batch) if index not in bad]
            done = self._embed_batch(good, title) if good else []
            for index in sorted(bad):
                halves = _halves(batch[index]) if index in exc.too_long else []
                done += self._embed_batch(halves, title) if halves else [(batch[index], None)]
            return done
        return list(zip(batch, vectors, strict=True))


def _indexed(chunks: Sequence[Chunk], title: str) -> list[str]:
    """What is embedded and analysed of each chunk: its text below title and headings."""
    return [indexed(title, chunk.section, chunk.text) for chunk in chunks]


def _terms(texts: Sequence[str], language: str) -> list[list[str]]:
    """Analysed terms of each text; equal ones are one string, which saves most of the memory."""
    known: dict[str, str] = {}
    return [[known.setdefault(term, term) for term in analysed(text, language)] for text in texts]


def _grams(texts: Sequence[str]) -> GramCounts:
    """Letter grams of the texts: in how many each stands, and how many there are."""
    frequencies: Counter[str] = Counter()
    length = 0
    for text in texts:
        grams = c4(text)
        frequencies.update(set(grams))
        length += len(grams)
    return GramCounts(frequencies=frequencies, length=length)


def _halves(chunk: Chunk) -> list[Chunk]:
    """The chunk cut at the blank nearest to its middle; nothing if it cannot be cut further."""
    middle = chunk.text.rfind(" ", 0, len(chunk.text) // 2)
    pieces = [chunk.text[:middle].strip(), chunk.text[middle:].strip()] if middle > 0 else []
    return [replace(chunk, text=piece) for piece in pieces if piece]


def _place(chunk: Chunk) -> str:
    if chunk.page_first is not None:
        return f"chunk {chunk.ordinal + 1} on page {chunk.page_first}"
    return f"chunk {chunk.ordinal + 1}" + (f" in {chunk.section!r}" if chunk.section else "")
