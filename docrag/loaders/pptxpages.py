"""Reads the slides of a presentation with python-pptx; runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.package import PartFactory
from pptx.package import Package
from pptx.parts.presentation import PresentationPart

from docrag.api import LoaderError, Page, printable, repair
from docrag.loaders.archive import light
from docrag.loaders.raised import joined, lowered, raised, struck
from docrag.loaders.records import Record, records
from docrag.loaders.tables import markdown, repeatable

#: A shape, slide or text of python-pptx, which types few of them.
Shape: TypeAlias = Any

#: MiB of text parts that are read: a talk of 10,000 slides has 24.
MAX_TEXT: Final = 40
#: Elements and attributes of all text parts; that talk has 1.7 million.
MAX_MARKS: Final = 3_000_000
KIND: Final = "a PowerPoint file (.pptx)"
#: Placeholders that repeat on every slide.
_RUNNING = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)
#: Where a bullet stands in front of a paragraph unless it says otherwise.
_BODY = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY)
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
#: Types of files that hold a presentation, with macros, as a show and as a template too.
_MAIN = (
    CT.PML_PRESENTATION_MAIN,
    CT.PML_PRES_MACRO_MAIN,
    CT.PML_SLIDESHOW_MAIN,
    CT.PML_TEMPLATE_MAIN,
)


def read(data: bytes) -> Iterator[Record]:
    """One record a slide, or one ``error`` for a refusal."""
    return records(lambda: _pages(data))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slide:
    """What one slide says."""

    title: str
    text: str
    warning: str


def _pages(data: bytes) -> list[Page]:
    for kind in _MAIN:
        PartFactory.part_type_for.setdefault(kind, PresentationPart)
    checked = light(data, kind=KIND, most=MAX_TEXT, marks=MAX_MARKS)
    try:
        main = Package.open(checked).presentation_part
        slides = [_slide(number, slide) for number, slide in enumerate(main.presentation.slides, 1)]
    except (KeyError, AttributeError) as exc:
        raise LoaderError(f"it is not {KIND}, or damaged") from exc
    if not any(slide.text for slide in slides):
        raise LoaderError("its slides hold no text; if they hold pictures of pages, save as PDF")
    texts = repair([slide.text for slide in slides])
    return [
        Page(
            number=number,
            text=re.sub(r"\n{3,}", "\n\n", text).strip(),
            section=printable(slide.title),
            warning=slide.warning,
        )
        for number, (slide, text) in enumerate(zip(slides, texts, strict=True), 1)
    ]


def _slide(number: int, slide: Shape) -> _Slide:
    if slide._element.get("show") in ("0", "false"):  # noqa: SLF001 - no public way
        return _Slide(title="", text="", warning=f"slide {number} is hidden and was left out")
    heading = slide.shapes.title
    title = " ".join(_text(heading.text_frame).split()) if heading is not None else ""
    lines = [title] if title else []
    lines += _texts(shape for shape in slide.shapes if _id(shape) != _id(heading))
    if slide.has_notes_slide:
        notes = slide.notes_slide.notes_text_frame
        lines += [] if notes is None else _paragraphs(notes, bullet=False)
    text = "\n".join(lines).strip()
    return _Slide(title=title, text=text, warning="" if text else f"slide {number} holds no text")


def _id(shape: Shape) -> int | None:
    return None if shape is None else shape.shape_id


def _texts(shapes: Iterable[Shape]) -> Iterator[str]:
    """The texts of shapes in their order, groups from inside."""
    for shape in shapes:
        kind = shape.placeholder_format.type if shape.is_placeholder else None
        if kind in _RUNNING:
            continue
        if hasattr(shape, "shapes"):
            yield from _texts(shape.shapes)
        elif getattr(shape, "has_table", False):
            yield from ("", markdown(list(_rows(shape.table))), "")
        elif getattr(shape, "has_chart", False):
            yield from _chart(shape)
        elif shape.has_text_frame:
            yield from _paragraphs(shape.text_frame, bullet=kind in _BODY)


def _rows(table: Shape) -> Iterator[list[str]]:
    """Texts of a table's cells; a cell that spans rows stands in each of them."""
    above: dict[int, str] = {}
    for row in table.rows:
        line: list[str] = []
        for column, cell in enumerate(row.cells):
            down = cell._tc.vMerge  # noqa: SLF001 - the public way is slow and finds the origin only
            text = above.get(column, "") if down else _text(cell.text_frame)
            above[column] = repeatable(text)
            line.append("" if cell._tc.hMerge else text)  # noqa: SLF001 - as above
        yield line


def _chart(shape: Shape) -> Iterator[str]:
    """The title of a chart; its numbers are a picture to the reader."""
    chart = shape.chart
    if chart.has_title and chart.chart_title.has_text_frame:
        yield chart.chart_title.text_frame.text


def _paragraphs(frame: Shape, *, bullet: bool) -> Iterator[str]:
    """Lines of a text; list items with a mark, those below others indented."""
    for paragraph in frame.paragraphs:
        text = "\n".join(" ".join(line.split()) for line in re.split("[\n\v]", _words(paragraph)))
        if not text.strip():
            continue
        marked = _marked(paragraph, bullet)
        yield f"{'  ' * paragraph.level}- {text}" if marked else text


def _text(frame: Shape) -> str:
    """All lines of a text."""
    return "\n".join(map(_words, frame.paragraphs))


def _words(paragraph: Shape) -> str:
    """The words of a paragraph, marked where they are raised, lowered or struck out."""
    words = []
    for part in paragraph._p.iterchildren(_A + "r", _A + "br", _A + "fld"):  # noqa: SLF001 - as below
        text = "".join(part.itertext(_A + "t")) if part.tag != _A + "br" else "\v"
        properties = part.find(_A + "rPr")
        if properties is not None and part.tag != _A + "br":
            place = properties.get("baseline", "0")
            text = lowered(text) if place[:1] == "-" else raised(text) if place[:1] != "0" else text
            text = struck(text) if properties.get("strike", "noStrike") != "noStrike" else text
        words.append(text)
    return joined("".join(words))


def _marked(paragraph: Shape, otherwise: bool) -> bool:
    """True for a paragraph with a bullet or number of its own, or with that of its place."""
    properties = paragraph._p.pPr  # noqa: SLF001 - python-pptx has no way to bullets
    if properties is None:
        return otherwise
    if properties.find(_A + "buNone") is not None:
        return False
    own = (properties.find(_A + name) for name in ("buChar", "buAutoNum", "buBlip"))
    return otherwise or any(mark is not None for mark in own)
