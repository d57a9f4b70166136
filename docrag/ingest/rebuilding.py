"""The contents of a document for a space whose chunks are cut in another way, from kept vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from docrag.api import Chunk, Page, StoreError, Vectors, indexed
from docrag.ingest.halving import halves
from docrag.ingest.indexing import grams_of, terms_of, texts_of
from docrag.ingest.plan import Plan
from docrag.store import Store
from docrag.store.contents import Contents
from docrag.store.records import Space
from docrag.store.refills import Unfilled
from docrag.store.staged import StagedVector
from docrag.store.switches import digest

#: Vectors by what was embedded.
Known = Mapping[bytes, StagedVector]


def rebuilder(
    store: Store, plan: Plan, space: Space
) -> Callable[[Unfilled, Sequence[Page], str], Contents]:
    """What makes a document's contents for a space that was filled, asking no model.

    :param plan: the space's own.
    """

    def rebuild(document: Unfilled, pages: Sequence[Page], language: str) -> Contents:
        known = store.staged.vectors(document.public_id, space_id=space.id)
        found = [
            pair
            for chunk in plan.chunker.split(pages)
            for pair in _embedded(chunk, document.title, known)
        ]
        if not found:
            raise StoreError(
                f"nothing of {document.title!r} was kept for {space.model_id}; drop that space "
                "with `docrag reindex drop` and start anew"
            )
        chunks = [replace(chunk, ordinal=place) for place, (chunk, _) in enumerate(found)]
        texts = texts_of(chunks, document.title)
        return Contents(
            pages=pages,
            chunks=chunks,
            vectors=np.stack([vector for _, vector in found]),
            space_id=space.id,
            terms=terms_of(texts, language),
            grams=grams_of(texts),
        )

    return rebuild


def _embedded(chunk: Chunk, title: str, known: Known) -> Iterator[tuple[Chunk, Vectors]]:
    """The chunk with its vector; in pieces where those were embedded; nothing of a refused one."""
    kept = known.get(digest(indexed(title, chunk.section, chunk.text)))
    if kept is not None and kept.vector is not None:
        yield chunk, kept.vector
    elif kept is None or kept.too_long:
        # Of a space that was searched before, only what had a vector is known.
        for part in halves(chunk):
            yield from _embedded(part, title, known)
