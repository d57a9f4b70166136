"""Loader for plain text in any encoding that Turkish files come in."""

from __future__ import annotations

from docrag.api import Page
from docrag.loaders.encoding import decode


class TextLoader:
    """Loads plain text as a single page without a number; safe to use from many threads."""

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """One page with the whole text in NFC and ``\\n`` line ends.

        :raises LoaderError: the file is empty, blank or binary.
        """
        return [Page(number=None, text=decode(data, filename=filename))]
