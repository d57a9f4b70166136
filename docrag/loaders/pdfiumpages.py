"""Reads the pages of a PDF with pdfium; runs in the child process and imports nothing of docrag."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pypdfium2
from pypdfium2.raw import (
    FLAT_NORMALDISPLAY,
    FLATTEN_SUCCESS,
    FPDF_ANNOT_FREETEXT,
    FPDF_ANNOT_STAMP,
    FPDF_ANNOT_WIDGET,
    FPDF_PAGEOBJ_FORM,
    FPDF_PAGEOBJ_IMAGE,
    FPDF_PAGEOBJ_PATH,
    FPDF_PAGEOBJ_SHADING,
    FPDF_PAGEOBJ_TEXT,
    FPDFAnnot_GetSubtype,
    FPDFPage_CloseAnnot,
    FPDFPage_Flatten,
    FPDFPage_GetAnnot,
    FPDFPage_GetAnnotCount,
)

from docrag.loaders.child import memory, told
from docrag.loaders.pdfpictures import DEPTH, area, beside
from docrag.loaders.shares import readers as sharing
from docrag.loaders.shares import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Visible characters from which a page's text speaks for itself and nobody asks what it shows.
ENOUGH = 400
#: Share of the page that the picture of a scan covers; an emblem or a figure is less.
SCAN_SHARE = 0.6
#: Objects of a page that are looked at: a page may hold millions.
MOST_OBJECTS = 2000
#: Lines and curves above which a page is a drawing, or has its letters drawn; a frame has few.
MANY_PATHS = 40
#: Longest side of the picture by which a page is found to be blank, pixels.
LOOK = 300
#: Brightness of a pixel from which on it counts as paper, 0 to 255.
PAPER = 245
#: Memory of a process above which it reads a file alone, KiB: half of what one may use.
HEAVY = 160 * 1024
#: What is filled in or written upon a page: fields, text boxes, stamps. Links say nothing.
_WRITTEN_UPON = (FPDF_ANNOT_WIDGET, FPDF_ANNOT_FREETEXT, FPDF_ANNOT_STAMP)
_PICTURES = (FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_SHADING)
#: What every file with a picture holds.
_IMAGE = b"/Image"
#: The smallest file with a word, in a font that it does not hold.
_ONE_WORD = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]"
    b"/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>endobj\n"
    b"4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj\n"
    b"5 0 obj<</Length 36>>stream\nBT /F 12 Tf 10 100 Td (sayfa) Tj ET\nendstream endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF"
)
_PASSWORD = "it is protected with a password; save a copy without protection"  # noqa: S105 - text


def prepare() -> None:
    """Read a page of one word, so that pdfium knows its own fonts before it reads the first file.

    Two milliseconds of each file are saved where this is done once for all of them.
    """
    document = pypdfium2.PdfDocument(_ONE_WORD)
    document[0].get_textpage().get_text_range()
    document.close()


def read(
    data: bytes,
    *,
    max_pages: int,
    first: int = 1,
    numbers: Sequence[int] = (),
    reader: int = 0,
    readers: int = 1,
) -> Iterator[dict[str, str]]:
    """One record a physical page, or one with ``refused``, the reason in words for a clerk.

    A page's record has its ``number``, the number of all pages (``of``), its ``text``, a
    ``warning`` if it could not be read, and for one with little text what it ``shows``: ``blank``,
    ``scan`` (a picture over most of it), ``picture`` or ``little``, and ``yes`` in ``written`` if
    letters are set on it; one with a large picture beside its text has in ``beside`` what tells
    this picture from others. A refusal with ``final`` would be the same with every reader.

    :param first: page from 1 at which to begin.
    :param numbers: the only pages wanted; all from ``first`` on if empty.
    :param reader: number of this reader of ``readers``, of which each reads its share; the first
        one asks its parent behind its lead how many of them there are. One that needs much memory
        gives ``heavy`` instead of a page, and ends: one alone is to go on.
    """
    try:
        document = pypdfium2.PdfDocument(data)
        count = len(document)
        document.init_forms()  # before any page is loaded; nothing happens without a form
    except pypdfium2.PdfiumError as exc:
        protected = "password" in str(exc).lower()
        yield {"refused": _PASSWORD, "final": "yes"} if protected else {"refused": "damaged"}
        return
    if count > max_pages:
        reason = f"it has {count} pages, more than the {max_pages} allowed; split it"
        yield {"refused": reason, "final": "yes"}
        return
    if count == 0:
        yield {"refused": "it has no pages"}
    pictures = _IMAGE in data  # that of a picture is never packed or encrypted
    wanted = range(first, count + 1)
    team = _Team(sharing(count + 1 - first, most=readers))
    agreed = None if reader else team.agreed
    shared = share(first, count, reader=reader, most=readers, agreed=agreed)
    for number in shared if not numbers else (each for each in numbers if each in wanted):
        record = {"number": str(number), "of": str(count), **_page(document, number, pictures)}
        if team.size > 1 and memory() > HEAVY:
            yield {"heavy": str(number)}
            return
        yield record


class _Team:
    """The readers of a file, as far as this one knows."""

    def __init__(self, size: int) -> None:
        self.size = size

    def agreed(self) -> int:
        """How many there are, as the parent tells once."""
        self.size = told()
        return self.size


def _page(document: pypdfium2.PdfDocument, number: int, pictures: bool) -> dict[str, str]:
    """Text of a page and what it shows; a reason instead if pdfium cannot read it."""
    try:
        page = _opened(document, number)
        words = page.get_textpage()
        text = words.get_text_range()
        words.close()
        seen = {} if _is_enough(text) else _seen(page, text)
        if pictures and text.strip():
            seen |= beside(page)
        page.close()
    except (pypdfium2.PdfiumError, IndexError, ValueError):
        return {"text": "", "warning": "it is damaged"}
    return {"text": text, "warning": "", **seen}


def _is_enough(text: str) -> bool:
    """True for a page that speaks for itself; nearly every one does so in its first lines."""
    return any(len("".join(part.split())) >= ENOUGH for part in (text[: 2 * ENOUGH], text))


def _opened(document: pypdfium2.PdfDocument, number: int) -> pypdfium2.PdfPage:
    """The page, with what was filled in and written upon it as a part of it."""
    page = document[number - 1]
    for at in range(min(FPDFPage_GetAnnotCount(page), MOST_OBJECTS)):
        annotation = FPDFPage_GetAnnot(page, at)
        written = FPDFAnnot_GetSubtype(annotation) in _WRITTEN_UPON
        FPDFPage_CloseAnnot(annotation)
        if written:
            if FPDFPage_Flatten(page, FLAT_NORMALDISPLAY) == FLATTEN_SUCCESS:
                page.close()
                page = document[number - 1]
            break
    return page


def _seen(page: pypdfium2.PdfPage, text: str) -> dict[str, str]:
    """What a page of little text shows, and whether letters are set on it."""
    items = list(islice(page.get_objects(max_depth=DEPTH), MOST_OBJECTS))
    kinds = [item.type for item in items]
    written = "yes" if FPDF_PAGEOBJ_TEXT in kinds else ""
    if not text.strip() and (set(kinds) <= {FPDF_PAGEOBJ_FORM} or _is_paper(page)):
        return {"shows": "blank", "written": written}
    drawn = kinds.count(FPDF_PAGEOBJ_PATH) > MANY_PATHS or len(kinds) == MOST_OBJECTS
    pictures = drawn or any(kind in kinds for kind in _PICTURES)
    shows = "picture" if pictures else "little"
    return {"shows": "scan" if _covers(page, items) else shows, "written": written}


def _covers(page: pypdfium2.PdfPage, items: Sequence[pypdfium2.PdfObject]) -> bool:
    """True if pictures cover most of the page; strips of a scan count together."""
    width, height = page.get_size()
    covered = sum(area(item) for item in items if item.type == FPDF_PAGEOBJ_IMAGE)
    return bool(covered >= SCAN_SHARE * width * height > 0)


def _is_paper(page: pypdfium2.PdfPage) -> bool:
    """True if nothing on the page is darker than paper."""
    longest = max(page.get_size())
    if not 0 < longest < float("inf"):
        return True
    drawn = page.render(scale=LOOK / longest, grayscale=True)
    return min(bytes(drawn.buffer), default=PAPER) >= PAPER
