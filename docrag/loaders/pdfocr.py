"""The text of a PDF's scanned pages, read by an engine for text recognition."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from docrag.api import LoaderError
from docrag.loaders.pdfmerged import merged
from docrag.loaders.quality import MIN_VISIBLE_BESIDE_PICTURE, visible
from docrag.loaders.raster import Raster

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docrag.api import OcrEngine, OcrText
    from docrag.loaders.pagerecords import PageRecords
    from docrag.loaders.pdffaults import Faults

logger = logging.getLogger(__name__)

#: Faults that text recognition may cure.
CURABLE = ("none", "beside", "short", "garbled", "script")
#: Confidence, 0 to 1, from which on a recognised text is taken for one that may be of another
#: script; what an engine reads in letters that it does not know has little.
SURE = 0.8


class PdfOcr:
    """Draws pages and has them read; safe to use from many threads if the engine is."""

    def __init__(self, engine: OcrEngine, *, page_seconds: float, memory_limit: int) -> None:
        """Build without reading anything.

        :param page_seconds: time that drawing a page may take; the engine has its own limit.
        :param memory_limit: address space of the process that draws, MiB.
        """
        self._engine = engine
        self._raster = Raster(timeout=page_seconds, memory_limit=memory_limit)

    def read(self, data: bytes, pages: PageRecords, *, filename: str, faults: Faults) -> None:
        """Read the pages that have no good text; each is kept at once.

        A page that cannot be read keeps what it has and gets a warning.

        :param faults: what is wrong with each of them.
        :raises OcrUnavailable: the engine cannot be used now; what was read is kept.
        """
        wanted = _wanted(pages.pages(), faults)
        if wanted:
            pages.keep()
        for record in wanted:
            logger.debug("page %s is recognised", record["number"], extra={"action": "ocr.page"})
            pages.add(self._read(data, record, filename=filename, found=faults.of(record)))
            pages.keep()

    def _read(
        self, data: bytes, record: Mapping[str, str], *, filename: str, found: str
    ) -> dict[str, str]:
        try:
            picture = self._raster.page(data, int(record["number"]), filename=filename)
            said = self._engine.read(picture.png, dpi=picture.dpi)
        except LoaderError as exc:
            if found == "beside":
                return {**record, "undrawable": "yes"}
            reason = str(exc).removeprefix(f"{filename!r} was refused: ")
            return {**record, "warning": record["warning"] or reason, "undrawable": "yes"}
        if found == "script" and (said.confidence or 0) < SURE:
            return {**record, "undrawable": "yes"}
        if found not in {"short", "beside"} or not record["text"].strip():
            return {**record, **_said(said, record["text"])}
        text = merged(record["text"], said.text)
        if text == record["text"] and visible(text) >= MIN_VISIBLE_BESIDE_PICTURE:
            return {**record, "whole": "yes"}
        return {**record, **_said(replace(said, text=text), text)}


def _wanted(records: Sequence[dict[str, str]], faults: Faults) -> list[dict[str, str]]:
    return [
        record
        for record in records
        if record["reader"] != "ocr"
        and "undrawable" not in record
        and record.get("shows") != "blank"
        and faults.of(record) in CURABLE
    ]


def _said(said: OcrText, before: str) -> dict[str, str]:
    """What the engine read, or the few letters that were there if it read nothing."""
    confidence = "" if said.confidence is None else f"{said.confidence:.3f}"
    text = said.text if said.text.strip() else before
    return {
        "text": text,
        "warning": "",
        "reader": "ocr",
        "confidence": confidence,
        "doubt": said.doubt,
    }
