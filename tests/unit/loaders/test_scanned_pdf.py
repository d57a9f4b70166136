"""Scanned pages of a PDF are read one by one, each in its place."""

from __future__ import annotations

import os
import re
from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from docrag.api import LoaderError, OcrText, Page
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.tesseract import TesseractEngine
from tests.unit.loaders.scans import TOP, needs_tesseract, page_image, scan

DOCS = Path(__file__).parents[3] / os.environ.get("DATA", "../shared/data") / "docs"


class Counting:
    """An engine that says how many pages it was shown before; some it fails on."""

    name = "counting"

    def __init__(self, *, failing: tuple[int, ...] = ()) -> None:
        self.resolutions: list[int] = []
        self.failing = failing

    def read(self, picture: bytes, *, dpi: int) -> OcrText:
        self.resolutions.append(dpi)
        if len(self.resolutions) in self.failing:
            raise LoaderError("the engine failed")
        number = len(self.resolutions)
        return OcrText(text=f"MADDE {number} – (1) İşveren ılık suyu çalışanlar için sağlar.")


def shared(name: str) -> bytes:
    path = DOCS / name
    if not path.exists():
        pytest.skip(f"SHARED DATA ABSENT: {name} (set DATA)")
    return path.read_bytes()


def articles(page: Page) -> list[str]:
    return re.findall(r"^MADDE (\d+) – \(1\)", page.text, re.MULTILINE)


def test_page_that_fails_is_named_and_the_others_are_read() -> None:
    engine = Counting(failing=(2,))
    data = shared("synthetic/tarama_6331_s7_8_10.pdf")
    pages = PdfLoader(ocr=engine).load(data, filename="x.pdf")
    assert engine.resolutions == [200, 200, 200]
    assert [articles(page) for page in pages] == [["1"], [], ["3"]]
    assert "page 2 could not be read" in pages[1].warning


@needs_tesseract
def test_scanned_regulation_stands_on_its_page() -> None:
    writer, first = pypdf.PdfWriter(), BytesIO()
    writer.append(BytesIO(shared("tr/firat_016.pdf")), pages=(0, 1))
    writer.write(first)
    (page,) = PdfLoader(ocr=TesseractEngine()).load(first.getvalue(), filename="x.pdf")
    assert articles(page) == ["1", "2", "3", "4", "5"]
    assert "its numbers and signs" in page.warning


@needs_tesseract
def test_sideways_scan_is_read() -> None:
    small = page_image().crop(TOP).resize((1290, 306))
    data = scan(small.rotate(90, expand=True), dpi=180)
    (page,) = PdfLoader(ocr=TesseractEngine()).load(data, filename="x.pdf")
    assert articles(page) == ["1"]
    assert "İŞ SAĞLIĞI VE GÜVENLİĞİ TALİMATI" in page.text
