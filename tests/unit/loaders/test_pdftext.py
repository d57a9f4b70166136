from __future__ import annotations

import zlib
from io import BytesIO

import pypdf
import pytest
from pypdf.generic import NameObject, NumberObject, StreamObject

from docrag.api import LoaderError
from docrag.loaders import pagerecords, pdfiumpages
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.pdftext import PdfText
from tests.unit.loaders.scribes import Notebook, TornNotebook, killed


def written(writer: pypdf.PdfWriter) -> bytes:
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def bomb(pdf_sample: bytes, page: int) -> bytes:
    """The sample with 80 MB of drawing on one page, counted from 0."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_sample))
    stream = StreamObject()
    stream._data = zlib.compress(b"0 0 m 9 9 l S\n" * 5_700_000, 1)
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    stream[NameObject("/Length")] = NumberObject(len(stream._data))
    writer.pages[page][NameObject("/Contents")] = writer._add_object(stream)
    return written(writer)


@pytest.fixture(scope="module")
def long_pdf(pdf_sample: bytes) -> bytes:
    """24 pages."""
    writer = pypdf.PdfWriter()
    for _ in range(6):
        writer.append(BytesIO(pdf_sample))
    return written(writer)


def records(data: bytes, first: int = 1) -> list[dict[str, str]]:
    reader = PdfText(timeout=60, memory_limit=1024, max_pages=5000)
    return list(reader.read(data, filename="a.pdf", first=first))


def test_text_begins_at_the_page_that_is_asked_for(pdf_sample: bytes) -> None:
    found = records(pdf_sample, first=3)
    assert [page["number"] for page in found] == ["3", "4"]
    assert "MADDE 10 " in found[0]["text"]
    assert {page["of"] for page in found} == {"4"}
    assert records(pdf_sample, first=5) == []


def test_bomb_on_a_page_costs_only_that_page(pdf_sample: bytes) -> None:
    pages = PdfLoader().load(bomb(pdf_sample, 1), filename="a.pdf")
    assert [page.number for page in pages] == [1, 2, 3, 4]
    assert "MADDE 10 " in pages[2].text
    assert [bool(page.warning) for page in pages] == [False, True, False, False]
    assert "page 2 could not be read: its content unpacks" in pages[1].warning


def test_file_that_pdfium_cannot_open_is_read_by_pypdf(
    pdf_sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docrag.loaders.pdftext._PDFIUM", "tests.unit.loaders.readers:refuse")
    monkeypatch.setenv("PYTHONPATH", ".")
    found = records(pdf_sample)
    assert [page["reader"] for page in found] == ["pypdf"] * 4


def test_reader_that_dies_again_and_again_is_left(
    pdf_sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docrag.loaders.pdftext._PDFIUM", "tests.unit.loaders.readers:perish")
    monkeypatch.setenv("PYTHONPATH", ".")
    found = records(pdf_sample)
    assert [page["number"] for page in found] == ["1", "2", "3", "4"]
    assert "MADDE 10 " in found[2]["text"]


def test_page_at_which_a_reader_hangs_is_read_by_the_other(
    pdf_sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docrag.loaders.pdftext._PDFIUM", "tests.unit.loaders.readers:hang")
    monkeypatch.setattr("docrag.loaders.pdftext.PDFIUM_SHARE", 0.03)
    monkeypatch.setenv("PYTHONPATH", ".")
    found = records(pdf_sample)
    assert [page["reader"] for page in found] == ["pdfium", "pypdf", "pdfium", "pdfium"]


def test_second_reader_gives_the_pages_it_is_asked_for(pdf_sample: bytes) -> None:
    reader = PdfText(timeout=60, memory_limit=1024, max_pages=5000)
    found = list(reader.second(pdf_sample, [2, 4, 9], filename="a.pdf"))
    assert [(page["number"], page["reader"]) for page in found] == [("2", "pypdf"), ("4", "pypdf")]
    assert list(reader.second(b"%PDF-1.7\nyar", [1], filename="a.pdf")) == []


@pytest.mark.parametrize("steps", [0, 1, 12])
def test_killed_run_goes_on_where_it_was(
    long_pdf: bytes, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagerecords, "WORTH", 0.0)
    torn = TornNotebook(steps)
    with killed():
        PdfLoader().load(long_pdf, filename="a.pdf", checkpoint=torn)
    notebook = Notebook(torn.kept)
    pages = PdfLoader().load(long_pdf, filename="a.pdf", checkpoint=notebook)
    assert pages == PdfLoader().load(long_pdf, filename="a.pdf")
    assert [int(page["number"]) for page in notebook.kept] == list(range(1, 25))


def test_finished_run_reads_nothing_again(
    pdf_sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagerecords, "WORTH", 0.0)
    notebook = Notebook()
    first = PdfLoader().load(pdf_sample, filename="a.pdf", checkpoint=notebook)
    steps = list(notebook.steps)
    assert PdfLoader().load(pdf_sample, filename="a.pdf", checkpoint=notebook) == first
    assert notebook.steps == steps


def test_pages_before_a_failure_are_kept(pdf_sample: bytes) -> None:
    notebook = Notebook()
    with pytest.raises(LoaderError):
        PdfLoader(max_pages=3).load(pdf_sample, filename="a.pdf", checkpoint=notebook)
    assert notebook.kept == []


def test_pdfium_is_prepared_with_a_page_of_one_word() -> None:
    pdfiumpages.prepare()
    (page,) = pdfiumpages.read(pdfiumpages._ONE_WORD, max_pages=1)
    assert (page["text"], page["warning"]) == ("sayfa", "")
