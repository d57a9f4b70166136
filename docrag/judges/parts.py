"""A long passage in parts that a model can read whole."""

from __future__ import annotations

import unicodedata

from docrag.api import spans, storable


def clean(text: str) -> str:
    """The text in composed form (NFC), without NUL and surrounding space."""
    return unicodedata.normalize("NFC", storable(text)).strip()


def parts(text: str, limit: int) -> list[str]:
    """Whole sentences of a text, packed into parts of at most ``limit`` characters, in order.

    Each part after the first begins with the last sentence of the one before where that leaves
    room for another, since a sentence may need the one before it. A longer sentence is cut.

    :param text: cleaned by :func:`clean`.
    :param limit: most characters of a part, 1 or more.
    :returns: the text alone if it fits; nothing for an empty one.
    """
    if len(text) <= limit:
        return [text] if text else []
    found: list[str] = []
    start = before = last = 0
    for begin, end in _pieces(text, limit):
        if end - start > limit:
            found.append(text[start:last].strip())
            start = before if end - before <= limit else begin
        before, last = begin, end
    return [*found, text[start:last].strip()]


def _pieces(text: str, limit: int) -> list[tuple[int, int]]:
    """Start and end of every sentence; one that is longer than ``limit`` in several pieces."""
    return [
        (place, min(place + limit, end))
        for begin, end in spans(text)
        for place in range(begin, end, limit)
    ]
