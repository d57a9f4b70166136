"""Loader for PDF: pypdf in a child process, one page of clean text for each physical page."""

from __future__ import annotations

from docrag.api import LoaderError, Page, SettingsError, repair
from docrag.loaders.quality import page_warning
from docrag.loaders.running import without_running_lines
from docrag.loaders.sandbox import Sandbox

#: Least memory of the child, MiB: Python and pypdf alone need about 60.
MIN_MEMORY = 128
_SCAN = "it holds only pictures (a scan) and no text; have its text recognised (OCR) first"


class PdfLoader:
    """Loads PDF files; safe to use from many threads, each file in its own process."""

    def __init__(
        self, *, timeout: float = 120.0, memory_limit: int = 1024, max_pages: int = 5000
    ) -> None:
        """Build without reading anything.

        :param timeout: seconds that one file may take.
        :param memory_limit: address space of the child process, MiB.
        :param max_pages: longer documents are refused.
        :raises SettingsError: a limit is too small to read any file.
        """
        for name, value, least in (
            ("timeout", timeout, 1),
            ("memory_limit", memory_limit, MIN_MEMORY),
            ("max_pages", max_pages, 1),
        ):
            if value < least:
                raise SettingsError(f"pdf loader: {name} must be {least} or more, not {value}")
        self._sandbox = Sandbox(
            reader="docrag.loaders.pdfpages:read",
            timeout=timeout,
            memory_limit=memory_limit,
            options={"max_pages": max_pages},
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """All physical pages in order, numbered from 1; a page without text carries a warning.

        Running heads and feet are left out from the second page on.

        :raises LoaderError: not a PDF, damaged, protected, without pages, a scan without any text,
            or over a limit.
        """
        records = list(self._sandbox.run(data, filename=filename))
        if not any(record["text"].strip() for record in records) and any(
            record["picture"] for record in records
        ):
            raise LoaderError(f"{filename!r} was refused: {_SCAN}")
        texts = without_running_lines(repair([record["text"] for record in records]))
        return [
            _page(number, text, record)
            for number, (record, text) in enumerate(zip(records, texts, strict=True), start=1)
        ]


def _page(number: int, text: str, record: dict[str, str]) -> Page:
    doubt = page_warning(text, number, picture=bool(record["picture"]))
    return Page(number=number, text=text, warning=record["warning"] or doubt)
