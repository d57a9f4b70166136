"""Loader for spreadsheets: pages without a number, a sheet as the section."""

from __future__ import annotations

from docrag.api import Page
from docrag.loaders.boxed import Boxed


class SpreadsheetLoader:
    """Loads Excel and OpenDocument sheets; safe to use from many threads.

    Each file is read in its own process.
    """

    def __init__(self, *, timeout: float = 120.0, memory_limit: int = 1024) -> None:
        """Build without reading anything.

        :param timeout: seconds that one file may take.
        :param memory_limit: address space of the child process, MiB.
        """
        self._boxed = Boxed(
            reader="docrag.loaders.sheets:read", timeout=timeout, memory_limit=memory_limit
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """Pages of some rows each as a Markdown table, its head repeated; the sheet as ``section``.

        Empty rows and columns are left out, numbers and dates are written as in Turkey (``12,5``,
        ``12.02.2025``). Hidden sheets are left out with a warning. Macros are not run and formulas
        not computed: the values that were saved with the file are read.

        :raises LoaderError: not a spreadsheet, damaged, protected, without text, or over a limit.
        """
        return self._boxed.load(data, filename=filename)
