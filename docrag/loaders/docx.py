"""Loader for Word files: one page without a number for each section."""

from __future__ import annotations

from docrag.api import Page
from docrag.loaders.boxed import Boxed


class DocxLoader:
    """Loads Word files; safe to use from many threads, each file in its own process."""

    def __init__(self, *, timeout: float = 120.0, memory_limit: int = 1024) -> None:
        """Build without reading anything.

        :param timeout: seconds that one file may take.
        :param memory_limit: address space of the child process, MiB.
        """
        self._boxed = Boxed(
            reader="docrag.loaders.docxpages:read", timeout=timeout, memory_limit=memory_limit
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """Sections in order, heading path as ``section``, heading line first in ``text``.

        Paragraphs, list items with their numbers, text boxes and tables (as Markdown) stand where
        they stand in the file, footnotes below their section. Headers, footers, comments, tables of
        contents, hidden and deleted text are left out. Macros are not run.

        :raises LoaderError: not a Word file, damaged, protected, without text, or over a limit.
        """
        return self._boxed.load(data, filename=filename)
