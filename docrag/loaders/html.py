"""Loader for web pages: one page without a number for each section."""

from __future__ import annotations

from docrag.api import Page
from docrag.loaders.boxed import Boxed


class HtmlLoader:
    """Loads web pages; safe to use from many threads, each file in its own process."""

    def __init__(self, *, timeout: float = 120.0, memory_limit: int = 1024) -> None:
        """Build without reading anything.

        :param timeout: seconds that one file may take.
        :param memory_limit: address space of the child process, MiB.
        """
        self._boxed = Boxed(
            reader="docrag.loaders.htmlpages:read", timeout=timeout, memory_limit=memory_limit
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """Sections in order, heading path as ``section``, heading line first in ``text``.

        Paragraphs, list items and tables (as Markdown) stand where they stand on the page. Scripts,
        navigation, comments and everything that the page does not show are left out; nothing is
        fetched and no script is run. An encoding that the page names but does not have is ignored.

        :raises LoaderError: not a web page, without visible text, or over a limit.
        """
        return self._boxed.load(data, filename=filename)
