"""Readers of 24 pages that misbehave beside another, run in child processes; not a test module."""

from __future__ import annotations

import os
from collections.abc import Iterator

from docrag.loaders.shares import share

PAGES = 24


def die(
    data: bytes, *, first: int, reader: int, readers: int, **_: object
) -> Iterator[dict[str, str]]:
    """Break down at page 5, whoever reads it."""
    for number in share(first, PAGES, reader=reader, most=readers):
        if number == 5:
            os._exit(3)
        yield _page(number)


def grow(
    data: bytes, *, first: int, reader: int, readers: int, **_: object
) -> Iterator[dict[str, str]]:
    """Need much memory at page 6."""
    for number in share(first, PAGES, reader=reader, most=readers):
        yield _page(number) if number != 6 or readers == 1 else {"heavy": "6"}


def differ(
    data: bytes, *, first: int, reader: int, readers: int, **_: object
) -> Iterator[dict[str, str]]:
    """The second one finds the file damaged."""
    if reader:
        yield {"refused": "damaged"}
        return
    yield from map(_page, share(first, PAGES, reader=reader, most=readers))


def _page(number: int) -> dict[str, str]:
    return {"number": str(number), "of": str(PAGES), "text": "metin", "warning": ""}
