from __future__ import annotations

from pathlib import Path

import pytest
from pptx.presentation import Presentation
from pptx.util import Cm

from docrag.loaders.pptx import PptxLoader
from docrag.loaders.pptxpages import read
from tests.unit.loaders.office import refusal, slides, text_of, zipped

CORNER = (Cm(1), Cm(1), Cm(5), Cm(5))


def test_pptx_counts_slides(fixtures: Path) -> None:
    data = (fixtures / "isg_oryantasyon.pptx").read_bytes()
    first, second = PptxLoader().load(data, filename="a.pptx")
    assert (first.number, first.section) == (1, "İSG Oryantasyonu")
    assert first.text.split("\n") == [
        "İSG Oryantasyonu",
        "- Acil çıkışları öğrenin",
        "- KKD kullanın",
        "Konuşmacı notu: süre 20 dakika",
    ]
    assert (second.number, second.section) == (2, "Yangın Ekipleri")
    assert "| Ekip | Dahili |\n|---|---|\n| Söndürme | 4112 |" in second.text


def test_pptx_reads_groups() -> None:
    def build(presentation: Presentation) -> None:
        shapes = presentation.slides.add_slide(presentation.slide_layouts[6]).shapes
        group = shapes.add_group_shape()
        group.shapes.add_textbox(*CORNER).text_frame.text = "İçteki"
        inner = group.shapes.add_group_shape()
        inner.shapes.add_textbox(*CORNER).text_frame.text = "Daha içteki"

    assert text_of(read(slides(build))) == "İçteki\nDaha içteki"


def test_pptx_leaves_out_hidden_slide() -> None:
    def build(presentation: Presentation) -> None:
        for title in ("Açık", "Gizli", ""):
            slide = presentation.slides.add_slide(presentation.slide_layouts[5])
            slide.shapes.title.text = title
        presentation.slides[1]._element.set("show", "0")

    records = list(read(slides(build)))
    assert [record["text"] for record in records] == ["Açık", "", ""]
    assert [record["warning"] for record in records] == [
        "",
        "slide 2 is hidden and was left out",
        "slide 3 holds no text",
    ]


def test_pptx_marks_figures_that_do_not_stand_in_line() -> None:
    def build(presentation: Presentation) -> None:
        shapes = presentation.slides.add_slide(presentation.slide_layouts[6]).shapes
        line = shapes.add_textbox(*CORNER).text_frame.paragraphs[0]
        for text, name, value in (
            ("10", "", ""),
            ("3", "baseline", "30000"),
            ("8", "strike", "sngStrike"),
        ):
            run = line.add_run()
            run.text = text
            run._r.get_or_add_rPr().attrib.update({name: value} if name else {})

    assert text_of(read(slides(build))) == "10³~~8~~"


def test_pptx_repeats_a_cell_that_spans_rows() -> None:
    def build(presentation: Presentation) -> None:
        shapes = presentation.slides.add_slide(presentation.slide_layouts[6]).shapes
        table = shapes.add_table(3, 2, *CORNER).table
        for at, text in enumerate(("Kat", "Oda", "1", "A", "", "B")):
            table.cell(at // 2, at % 2).text = text
        table.cell(1, 0).merge(table.cell(2, 0))

    assert "| 1 | A |\n| 1 | B |" in text_of(read(slides(build)))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"duz metin", "not a PowerPoint file"),
        (zipped({"a.xml": b"<a/>"}), "not a PowerPoint file"),
        (slides(lambda presentation: None), "hold no text"),
    ],
)
def test_pptx_refuses_what_it_cannot_read(data: bytes, reason: str) -> None:
    assert reason in refusal(read(data))
