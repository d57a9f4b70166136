"""Reads long text and Markdown files; runs in the child process."""

from __future__ import annotations

from collections.abc import Iterator

from docrag.loaders import md as markdown
from docrag.loaders import txt as text
from docrag.loaders.records import Record, records


def md(data: bytes) -> Iterator[Record]:
    """One record a section of a Markdown file, or one ``error`` for a refusal."""
    return records(lambda: markdown.read(data, filename=""))


def txt(data: bytes) -> Iterator[Record]:
    """One record with the whole text, or one ``error`` for a refusal."""
    return records(lambda: text.read(data, filename=""))
