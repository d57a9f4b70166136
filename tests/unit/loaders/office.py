"""Office files that the loader tests write; not a test module."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import docx
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from docx.document import Document
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from pptx import Presentation
from pptx.presentation import Presentation as Slides

from docrag.loaders.records import Record

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def word(build: Callable[[Document], None]) -> bytes:
    """A Word file with what ``build`` puts into it."""
    document = docx.Document()
    build(document)
    return _saved(document.save)


def word_body(*blocks: str) -> bytes:
    """A Word file whose body is the given WordprocessingML."""

    def build(document: Document) -> None:
        for block in blocks:
            document.element.body.insert_element_before(element(block), "w:sectPr")

    return word(build)


def element(xml: str) -> BaseOxmlElement:
    """The element of a piece of WordprocessingML."""
    name, _, rest = xml.partition(">")
    slash = "/" if name.endswith("/") else ""
    return parse_xml(f"{name.removesuffix('/')} {W} {MC}{slash}>{rest}")


def slides(build: Callable[[Slides], None]) -> bytes:
    """A PowerPoint file with what ``build`` puts into it."""
    presentation = Presentation()
    build(presentation)
    return _saved(presentation.save)


def sheets(build: Callable[[xlsxwriter.Workbook], None]) -> bytes:
    """An Excel file with what ``build`` puts into it."""
    target = BytesIO()
    workbook = xlsxwriter.Workbook(target, {"in_memory": True})
    build(workbook)
    workbook.close()
    return target.getvalue()


def sheet(*rows: Iterable[object]) -> bytes:
    """An Excel file with one sheet ``Liste`` of these rows."""

    def build(workbook: xlsxwriter.Workbook) -> None:
        worksheet = workbook.add_worksheet("Liste")
        for at, row in enumerate(rows):
            worksheet.write_row(at, 0, row)

    return sheets(build)


def zipped(parts: dict[str, bytes]) -> bytes:
    """A ZIP with these parts."""
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def changed(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same ZIP with one part changed."""
    with ZipFile(BytesIO(data)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    parts[name] = change(parts[name])
    return zipped(parts)


def added(data: bytes, name: str, content: bytes) -> bytes:
    """The same ZIP with one part more."""
    with ZipFile(BytesIO(data)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    return zipped({**parts, name: content})


def text_of(found: Iterable[Record]) -> str:
    """The texts of a reader's pages, one below the other."""
    return "\n".join(record["text"] for record in found)


def refusal(found: Iterable[Record]) -> str:
    """Why a reader refused a file, empty if it did not."""
    return "".join(record.get("error", "") for record in found)


def _saved(save: Callable[[BytesIO], None]) -> bytes:
    target = BytesIO()
    save(target)
    return target.getvalue()
