"""An over-long chunk in two, each with its own pages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from docrag.api import Chunk

#: Characters below which a chunk is not cut any more: an embedder that refuses such a text for its
#: length would refuse every one.
SHORTEST: Final = 32
_BLANK: Final = re.compile(r"\s+")


def halves(chunk: Chunk) -> list[Chunk]:
    """The chunk cut at the blank nearest to its middle, or in the middle of one endless word.

    Title, label, article and ordinal are those of the whole; pages are those of each half.

    :returns: two chunks, or none for a text that is too short to be cut.
    """
    if len(chunk.text) < SHORTEST:
        return []
    middle = len(chunk.text) // 2
    blanks = [
        place for place in (found.start() for found in _BLANK.finditer(chunk.text)) if place > 0
    ]
    place = min(blanks, key=lambda blank: abs(blank - middle), default=middle)
    parts = [_part(chunk, 0, place), _part(chunk, place, len(chunk.text))]
    return parts if all(part.text for part in parts) else []


def _part(chunk: Chunk, start: int, end: int) -> Chunk:
    """The part of a chunk between two places, without the blanks around it."""
    text = chunk.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    end = start + len(text)
    if chunk.page_first is None or chunk.page_first + len(chunk.page_breaks) != chunk.page_last:
        # A chunker that does not tell where its pages begin: all that is known is the range.
        return replace(chunk, text=text, page_breaks=())
    breaks = tuple(place - start for place in chunk.page_breaks if start < place < end)
    return replace(
        chunk,
        text=text,
        page_first=chunk.page_at(start),
        page_last=chunk.page_at(end - 1),
        page_breaks=breaks,
    )
