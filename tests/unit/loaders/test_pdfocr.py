from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from PIL import Image

from docrag.api import LoaderError, OcrText, OcrUnavailable
from docrag.loaders.pdf import PdfLoader
from tests.unit.loaders.scribes import Notebook, Scribe, TornNotebook, killed

TEXT = "MADDE 2 – (1) Çalışanlar iş sağlığı ve güvenliği eğitimine katılır."


@pytest.fixture(scope="module")
def scan(pdf_sample: bytes) -> bytes:
    """A page of text, two scanned pages and a blank one."""
    picture = BytesIO()
    drawn = Image.new("L", (200, 300), 255)
    drawn.paste(0, (40, 40, 160, 60))
    drawn.save(picture, format="PDF", resolution=100)
    writer = pypdf.PdfWriter()
    writer.append(BytesIO(pdf_sample), pages=(0, 1))
    writer.append(picture)
    writer.append(picture)
    writer.add_blank_page(width=100, height=100)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_only_pages_without_text_are_recognised(scan: bytes) -> None:
    scribe = Scribe(TEXT)
    pages = PdfLoader(ocr=scribe).load(scan, filename="a.pdf")
    assert [TEXT in page.text for page in pages] == [False, True, True, False]
    assert [page.warning for page in pages] == [""] * 4
    assert scribe.resolutions == [100, 100]


def test_scanned_page_has_a_warning_without_an_engine(scan: bytes) -> None:
    pages = PdfLoader().load(scan, filename="a.pdf")
    assert [bool(page.warning) for page in pages] == [False, True, True, False]
    assert pages[1].warning == "no text on page 2; it may be a scanned picture"


@pytest.mark.parametrize(
    ("scribe", "words"),
    [
        (Scribe(TEXT, confidence=0.3), "page 2 was recognised with little confidence"),
        (Scribe(""), "no text on page 2; none was recognised"),
        (Scribe(error="too dark"), "page 2 could not be read: too dark"),
    ],
)
def test_doubt_about_a_recognised_page_is_told(scan: bytes, scribe: Scribe, words: str) -> None:
    assert words in PdfLoader(ocr=scribe).load(scan, filename="a.pdf")[1].warning


def test_engine_that_is_gone_stops_the_file(scan: bytes) -> None:
    class Gone(Scribe):
        def read(self, picture: bytes, *, dpi: int) -> OcrText:
            raise OcrUnavailable("no server")

    notebook = Notebook()
    with pytest.raises(OcrUnavailable):
        PdfLoader(ocr=Gone()).load(scan, filename="a.pdf", checkpoint=notebook)
    assert {record["number"] for record in notebook.kept} == {"1", "2", "3", "4"}


def test_killed_run_recognises_no_page_twice(scan: bytes) -> None:
    torn, first, second = TornNotebook(2), Scribe(TEXT), Scribe(TEXT)
    with killed():
        PdfLoader(ocr=first).load(scan, filename="a.pdf", checkpoint=torn)
    notebook = Notebook(torn.kept)
    pages = PdfLoader(ocr=second).load(scan, filename="a.pdf", checkpoint=notebook)
    assert [TEXT in page.text for page in pages] == [False, True, True, False]
    assert (len(first.resolutions), len(second.resolutions)) == (2, 1)


@pytest.fixture
def signed_scan(fixtures: Path) -> bytes:
    """A scan of a whole page with 180 letters set upon it, as electronic signatures are."""
    page = pypdf.PdfReader(fixtures / "heceleme.pdf").pages[0]
    size = (int(page.mediabox.width), int(page.mediabox.height))
    picture = BytesIO()
    Image.new("L", size, 220).save(picture, format="PDF", resolution=72)
    writer = pypdf.PdfWriter(clone_from=picture)
    writer.pages[0].merge_page(page)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("said", "taken"), [(TEXT * 9, True), ("Çalışanlar, iş sağlığı", False), ("", False)]
)
def test_scan_below_set_letters_is_recognised(signed_scan: bytes, said: str, taken: bool) -> None:
    (page,) = PdfLoader(ocr=Scribe(said)).load(signed_scan, filename="a.pdf")
    assert (TEXT in page.text) == taken
    assert "değerlendirme" in page.text
    assert page.warning == ""


def test_doubt_of_the_engine_is_told(scan: bytes) -> None:
    page = PdfLoader(ocr=Scribe(TEXT, doubt="check it")).load(scan, filename="a.pdf")[1]
    assert page.warning == "page 2 was read by text recognition; check it"


def test_scan_below_set_letters_is_told_without_an_engine(signed_scan: bytes) -> None:
    (page,) = PdfLoader().load(signed_scan, filename="a.pdf")
    assert "it may be a scanned picture" in page.warning
    assert "değerlendirme" in page.text


def test_file_without_any_recognised_text_is_refused() -> None:
    picture = BytesIO()
    Image.new("L", (200, 300), 90).save(picture, format="PDF", resolution=100)
    with pytest.raises(LoaderError, match="no text on page 1; none was recognised"):
        PdfLoader(ocr=Scribe("")).load(picture.getvalue(), filename="a.pdf")
    with pytest.raises(LoaderError, match="only pictures .a scan.; have its text recognised"):
        PdfLoader().load(picture.getvalue(), filename="a.pdf")
