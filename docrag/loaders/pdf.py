"""Loader for PDF: one page of clean text for each physical page, scanned ones recognised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrag.api import LoaderError, Page, SettingsError, readings, repair
from docrag.loaders.pagerecords import PageRecords
from docrag.loaders.pdffaults import Faults, backgrounds, refusal, warning
from docrag.loaders.pdfocr import PdfOcr
from docrag.loaders.pdftext import PdfText
from docrag.loaders.quality import VERDICTS
from docrag.loaders.running import without_running_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docrag.api import Checkpoint, OcrEngine

#: Least memory of a child, MiB: Python and a reader alone need about 60.
MIN_MEMORY = 128


class PdfLoader:
    """Loads PDF files; safe to use from many threads, each file in processes of its own.

    A page's text is that of pdfium; where that is bad or missing, that of pypdf; where both are,
    it is recognised from the page's picture, given an engine; else the page carries a warning. A
    file that opens without a password is read, also one whose author forbids copying.
    """

    def __init__(
        self,
        *,
        timeout: float = 120.0,
        memory_limit: int = 1024,
        max_pages: int = 5000,
        ocr: OcrEngine | None = None,
        page_seconds: float = 60.0,
    ) -> None:
        """Build without reading anything.

        :param timeout: seconds that the text of one file may take, scanned pages left out.
        :param memory_limit: most address space of a child process, MiB.
        :param max_pages: longer documents are refused.
        :param ocr: reads pages without good text; ``None`` leaves them with a warning.
        :param page_seconds: time that drawing one such page may take.
        :raises SettingsError: a limit is too small to read any file.
        """
        for name, value, least in (
            ("timeout", timeout, 1),
            ("memory_limit", memory_limit, MIN_MEMORY),
            ("max_pages", max_pages, 1),
            ("page_seconds", page_seconds, 1),
        ):
            if value < least:
                raise SettingsError(f"pdf loader: {name} must be {least} or more, not {value}")
        self._text = PdfText(timeout=timeout, memory_limit=memory_limit, max_pages=max_pages)
        self._ocr = ocr and PdfOcr(ocr, page_seconds=page_seconds, memory_limit=memory_limit)

    def load(
        self, data: bytes, *, filename: str, checkpoint: Checkpoint | None = None
    ) -> list[Page]:
        """All physical pages in order, numbered from 1; a page without text carries a warning.

        Blank pages have neither text nor a warning. Printed page numbers are left out, running
        heads and feet from the second page on.

        :param checkpoint: goes on where an earlier run of the same bytes ended.
        :raises LoaderError: not a PDF, damaged, protected, without pages, without any text, or
            over a limit.
        :raises OcrUnavailable: the engine for text recognition cannot be used now.
        """
        records = PageRecords(checkpoint)
        judge = _Judge(records)
        try:
            for record in self._text.read(data, filename=filename, first=len(records) + 1):
                records.add(record)
                judge.expect(record)
        finally:
            records.keep_if_worth()
        _forget_backgrounds(records)
        faults = self._reread(data, records, judge, filename)
        if self._ocr:
            self._ocr.read(data, records, filename=filename, faults=faults)
        reason = refusal(records.pages(), faults)
        if reason:
            raise LoaderError(f"{filename!r} was refused: {reason}")
        return _pages(records, judge, faults)

    def _reread(self, data: bytes, records: PageRecords, judge: _Judge, filename: str) -> Faults:
        """Ask the second reader for the pages with a fault; the better text of each is taken.

        :returns: what is still wrong with the pages.
        """
        faults = judge.faults()
        doubtful = {
            int(record["number"]): record
            for record in records.pages()
            if _may_gain(record, faults.of(record))
        }
        if not doubtful:
            return faults
        for other in self._text.second(data, list(doubtful), filename=filename):
            first = doubtful[int(other["number"])]
            records.add({**_better(first, other, faults), "second": "yes"})
        records.keep_if_worth()
        return judge.faults()


class _Judge:
    """What is wrong with a file's pages, found while a reader still reads as far as it can be."""

    def __init__(self, records: PageRecords) -> None:
        self._records = records
        self._texts: list[str] = []
        self._letters: Mapping[str, str] = {}
        self._faults = Faults(frozenset())

    def expect(self, record: Mapping[str, str]) -> None:
        """Judge a page as one of a file without strange signs, which nearly every file is."""
        self._faults.of(record)

    def letters(self) -> Mapping[str, str]:
        """Letters behind strange signs; found anew only if a page was read anew."""
        texts = [record["text"] for record in self._records.pages()]
        if texts != self._texts:
            self._texts, self._letters = texts, readings(texts)
        return self._letters

    def faults(self) -> Faults:
        """Those of the pages as they are now."""
        unknown = frozenset(sign for sign, letter in self.letters().items() if not letter)
        if unknown != self._faults.signs:
            self._faults = Faults(unknown)
        return self._faults


def _forget_backgrounds(records: PageRecords) -> None:
    """Take no notice of pictures that most pages have."""
    grounds = backgrounds(records.pages())
    for record in records.pages():
        if record.get("beside") in grounds:
            records.add({**record, "beside": ""})


def _may_gain(record: Mapping[str, str], found: str) -> bool:
    """Whether a second reader may find text: not on a picture without a letter set on it."""
    if found in {"", "beside"} or "second" in record:
        return False
    return record.get("shows") not in {"picture", "scan"} or bool(record["written"])


def _better(first: Mapping[str, str], other: Mapping[str, str], faults: Faults) -> dict[str, str]:
    """The record with the better text, the first one where both are alike."""
    both = {**first, **other}
    ranks = (VERDICTS.index(faults.of(record)) for record in (first, both))
    return dict(first) if next(ranks) <= next(ranks) else both


def _pages(records: PageRecords, judge: _Judge, faults: Faults) -> list[Page]:
    read = records.pages()
    whole = repair([record["text"] for record in read], letters=judge.letters())
    texts = without_running_lines(whole)
    return [
        Page(number=int(record["number"]), text=text, warning=warning(record, faults))
        for record, text in zip(read, texts, strict=True)
    ]
