"""How the pages of a long file are shared out to readers that work side by side.

Imports nothing of docrag, since the readers in their processes reckon with it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

#: Pages from which on a file is worth the start of further readers (10 ms, or three pages, each).
LEAST: Final = 8
#: Pages that the first reader has before the others have started.
LEAD: Final = 3


def readers(count: int, *, most: int) -> int:
    """How many readers share so many pages."""
    return most if count >= LEAST else 1


def reader_of(place: int, *, readers: int) -> int:
    """Number from 0 of the reader that reads the page at a place, from 0; they take turns."""
    return 0 if place < LEAD else (place - LEAD + 1) % readers


def share(
    first: int, last: int, *, reader: int, most: int, agreed: Callable[[], int] | None = None
) -> Iterator[int]:
    """Numbers of the pages that a reader reads, in order.

    :param first: first page of all readers.
    :param reader: number of this one, from 0.
    :param most: readers that there may be.
    :param agreed: tells behind the lead how many there are, if there may be several; ``None`` if
        that is known.
    """
    every = readers(last + 1 - first, most=most)
    for number in range(first, last + 1):
        if agreed and every > 1 and number == first + LEAD:
            every = agreed()
        if reader_of(number - first, readers=every) == reader:
            yield number
