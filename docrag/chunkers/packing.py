"""Spans of a text packed into pieces of at most so many characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Start and end within a text, characters.
Span: TypeAlias = tuple[int, int]
_VISIBLE = re.compile(r"\S")


def packed(units: Iterable[Span], *, size: int, overlap: int) -> Iterator[Span]:
    """Runs of units that fit; each run begins with the end of the one before.

    :param units: in order, each at most ``size`` characters long.
    :param size: most characters of a run.
    :param overlap: most characters of whole units that a run repeats of the one before.
    """
    run: list[Span] = []
    for unit in units:
        if run and unit[1] - run[0][0] > size:
            yield run[0][0], run[-1][1]
            run = _repeated(run, unit, size=size, overlap=overlap)
        run.append(unit)
    if run:
        yield run[0][0], run[-1][1]


def _repeated(run: list[Span], unit: Span, *, size: int, overlap: int) -> list[Span]:
    """Last units of a run, never all, that fit into the overlap and beside the next unit."""
    end = run[-1][1]
    return [kept for kept in run[1:] if end - kept[0] <= overlap and unit[1] - kept[0] <= size]


def cut(text: str, start: int, end: int, *, size: int) -> Iterator[Span]:
    """A span in pieces of at most ``size`` characters, cut at blanks where there are.

    :param start: place of a visible character, as is ``end - 1``.
    """
    while end - start > size:
        full = start + size
        head = text[start : full + 1]
        kept = len(head[: len(head.rstrip())]) if head[-1].isspace() else _last_blank(head)
        place = start + kept if kept else full
        yield start, start + len(text[start:place].rstrip())
        following = _VISIBLE.search(text, place, end)
        start = following.start() if following else end
    yield start, end


def _last_blank(head: str) -> int:
    """Place of the last blank, 0 if there is none."""
    return next((place for place in range(len(head) - 1, 0, -1) if head[place].isspace()), 0)
