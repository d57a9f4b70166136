"""Loader for presentations: one page for each slide."""

from __future__ import annotations

from docrag.api import Page
from docrag.loaders.boxed import Boxed


class PptxLoader:
    """Loads PowerPoint files; safe to use from many threads, each file in its own process."""

    def __init__(self, *, timeout: float = 120.0, memory_limit: int = 1024) -> None:
        """Build without reading anything.

        :param timeout: seconds that one file may take.
        :param memory_limit: address space of the child process, MiB.
        """
        self._boxed = Boxed(
            reader="docrag.loaders.pptxpages:read", timeout=timeout, memory_limit=memory_limit
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """All slides in order, numbered from 1, with the slide's title as ``section``.

        Below the title stand text, tables (as Markdown) and groups, last the speaker's notes. A
        hidden slide and one without text give an empty page with a warning.

        :raises LoaderError: not a PowerPoint file, damaged, protected, without text, or over a
            limit.
        """
        return self._boxed.load(data, filename=filename)
