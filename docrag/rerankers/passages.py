"""Chunks and questions as text that a reranker reads, no longer than it may be."""

from __future__ import annotations

import unicodedata

from docrag.api import StoredChunk, indexed, storable


def passage(chunk: StoredChunk, limit: int) -> str:
    """Title, headings and text of a chunk, as it was indexed, cut to ``limit`` characters."""
    return shortened(indexed(chunk.title, chunk.section, chunk.text), limit)


def shortened(text: str, limit: int) -> str:
    """The beginning of a text in composed form (NFC), without surrounding space.

    A word that the cut would split is left out, but for one that is longer than ``limit``.

    :param limit: most characters, 1 or more.
    """
    clean = unicodedata.normalize("NFC", storable(text)).strip()
    if len(clean) <= limit:
        return clean
    head = clean[:limit]
    if clean[limit].isspace() or head[-1].isspace():
        return head.rstrip()
    parts = head.rsplit(None, 1)
    return parts[0] if len(parts) > 1 else head
