"""Loader for plain text in any encoding that Turkish files come in."""

from __future__ import annotations

from docrag.api import Page
from docrag.loaders.bounded import Bounded
from docrag.loaders.encoding import damage, decode


class TextLoader:
    """Loads plain text as a single page without a number; safe to use from many threads."""

    def __init__(self, *, timeout: float = 120.0, memory_limit: int = 1024) -> None:
        """Build without reading anything.

        :param timeout: seconds that one long file may take.
        :param memory_limit: address space of the process that reads a long file, MiB.
        """
        self._bounded = Bounded(
            read=read,
            reader="docrag.loaders.textpages:txt",
            timeout=timeout,
            memory_limit=memory_limit,
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """One page with the whole text in NFC and ``\\n`` line ends.

        :raises LoaderError: the file is empty, blank or binary, or over a limit.
        """
        return self._bounded.load(data, filename=filename)


def read(data: bytes, *, filename: str) -> list[Page]:
    """The page of a text file, without limits.

    :raises LoaderError: the file is empty, blank or binary.
    """
    text = decode(data, filename=filename)
    return [Page(number=None, text=text, warning=damage(text))]
