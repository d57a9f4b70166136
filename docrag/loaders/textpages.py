"""Reads long text and Markdown files; runs in the child process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from docrag.api import LoaderError, Page
from docrag.loaders import md as markdown
from docrag.loaders import txt as text

Record: TypeAlias = dict[str, str]


def md(data: bytes) -> Iterator[Record]:
    """One record a section of a Markdown file, or one ``error`` for a refusal."""
    return _records(markdown.read, data)


def txt(data: bytes) -> Iterator[Record]:
    """One record with the whole text, or one ``error`` for a refusal."""
    return _records(text.read, data)


def _records(read: Callable[..., list[Page]], data: bytes) -> Iterator[Record]:
    try:
        pages = read(data, filename="")
    except LoaderError as exc:
        # The parent knows the name of the file and says it.
        yield {"error": str(exc).partition(" was refused: ")[2]}
        return
    for page in pages:
        yield {"text": page.text, "section": page.section}
