"""Several readers of one file abreast: each reads its share, the records come in page order."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from docrag.loaders.shares import reader_of, readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    #: Starts the reader of this number; gives its records.
    Start = Callable[[int], AbstractContextManager[Iterator[dict[str, str]]]]


class AloneError(Exception):
    """One reader alone has to go on from the page that would be next."""


def read(
    start: Start, *, first: int, most: int, agree: Callable[[int], int] = int
) -> Iterator[dict[str, str]]:
    """Records of all pages from ``first`` on, in order, from as many readers as are worth it.

    What one reader says of the whole file (a refusal) is given as it comes, as is everything of a
    reader that has all pages to itself.

    :param start: starts the reader of this number, from 0, which reads the pages that
        `docrag.loaders.shares` gives it; all of them end with this iterator.
    :param most: readers that there may be.
    :param agree: says how many there are to be, asked once the first reader of a long file is at
        work, with the number that is worth it.
    :raises ReaderStopped: one of them broke down at the page that would be next.
    :raises AloneError: they cannot go on together.
    """
    with ExitStack() as stack:
        leader = stack.enter_context(start(0))
        record = next(leader, None)
        if record is None:
            return
        _check(record)
        last = int(record.get("of", "0"))
        count = readers(last + 1 - first, most=most)
        count = agree(count) if count > 1 else count
        if count == 1:
            yield record
            yield from leader
            return
        others = [stack.enter_context(start(reader)) for reader in range(1, count)]
        yield record
        yield from _in_turn([leader, *others], first, last)


def _in_turn(
    running: list[Iterator[dict[str, str]]], first: int, last: int
) -> Iterator[dict[str, str]]:
    """The records behind the first one, each from the reader whose turn it is."""
    for number in range(first + 1, last + 1):
        record = next(running[reader_of(number - first, readers=len(running))], {})
        _check(record)
        if record.get("number") != str(number):
            raise AloneError("the readers do not agree on the number of pages")
        yield record


def _check(record: Mapping[str, str]) -> None:
    """:raises AloneError: a reader needs more memory than several may use at a time."""
    if "heavy" in record:
        raise AloneError("it needs much memory")
