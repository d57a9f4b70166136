"""Pictures on the pages of a PDF; runs in the child process and imports nothing of docrag."""

from __future__ import annotations

from ctypes import PYFUNCTYPE, c_int, c_ulong, c_void_p, cast
from hashlib import sha256
from itertools import islice, repeat
from typing import TYPE_CHECKING

import pypdfium2
from pypdfium2.raw import (
    FPDF_PAGEOBJ_FORM,
    FPDF_PAGEOBJ_IMAGE,
    FPDF_PAGEOBJ_TEXT,
    FPDF_TEXTRENDERMODE_INVISIBLE,
    FPDFFormObj_CountObjects,
    FPDFFormObj_GetObject,
    FPDFPage_CountObjects,
    FPDFPage_GetObject,
    FPDFPageObj_GetType,
    FPDFTextObj_GetTextRenderMode,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Share of a page from which on a picture may hold text of its own; an emblem has less.
BESIDE_SHARE = 0.25
#: Pictures of a page that are looked at.
MOST_PICTURES = 200
#: Forms within forms that are looked into.
DEPTH = 4
#: Kinds of objects that are or hold pictures.
_LOOKED_AT = (FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_FORM)
#: The calls that are made for every piece of text on a page, with bare addresses: twice as fast.
_PAGE_OBJECT = PYFUNCTYPE(c_void_p, c_void_p, c_int)(
    cast(FPDFPage_GetObject, c_void_p).value or 0,
)
_FORM_OBJECT = PYFUNCTYPE(c_void_p, c_void_p, c_ulong)(
    cast(FPDFFormObj_GetObject, c_void_p).value or 0,
)
_KIND = PYFUNCTYPE(c_int, c_void_p)(cast(FPDFPageObj_GetType, c_void_p).value or 0)


def beside(page: pypdfium2.PdfPage) -> dict[str, str]:
    """A record with what tells the page's large picture from others in ``beside``, or an empty one.

    Empty, too, for a scan whose recognised text lies invisible upon it.
    """
    sized = [(area(item), item) for item in islice(_pictures(page), MOST_PICTURES)]
    width, height = page.get_size()
    share = sum(size for size, _ in sized) / (width * height) if width * height > 0 else 0.0
    if share < BESIDE_SHARE or _is_invisible(page):
        return {}
    largest = max(sized, key=lambda pair: pair[0])[1]
    return {"beside": sha256(bytes(largest.get_data(decode_simple=False))).hexdigest()}


def _pictures(
    page: pypdfium2.PdfPage, form: pypdfium2.PdfObject | None = None, level: int = 0
) -> Iterator[pypdfium2.PdfObject]:
    """The pictures of a page in its order.

    As ``page.get_objects`` gives them, which takes half as long as reading the page's text does:
    it makes an object of each of the thousand pieces of text, too.
    """
    within = (page if form is None else form).raw
    count, item, address = (
        (FPDFPage_CountObjects, FPDFPage_GetObject, _PAGE_OBJECT)
        if form is None
        else (FPDFFormObj_CountObjects, FPDFFormObj_GetObject, _FORM_OBJECT)
    )
    holder = repeat(cast(within, c_void_p).value)
    for at, kind in enumerate(map(_KIND, map(address, holder, range(count(within))))):
        if kind not in _LOOKED_AT:
            continue
        raw = item(within, at)
        found = pypdfium2.PdfObject(raw, page=page, pdf=page.pdf, container=form, level=level)
        if kind == FPDF_PAGEOBJ_IMAGE:
            yield found
        elif level < DEPTH - 1:
            yield from _pictures(page, found, level + 1)


def _is_invisible(page: pypdfium2.PdfPage) -> bool:
    """True if the first letters of the page are not drawn."""
    letters = page.get_objects(filter=[FPDF_PAGEOBJ_TEXT], max_depth=DEPTH)
    modes = [FPDFTextObj_GetTextRenderMode(item) for item in islice(letters, 1)]
    return modes == [FPDF_TEXTRENDERMODE_INVISIBLE]


def area(item: pypdfium2.PdfObject) -> float:
    """Size of a placed picture, square points: what its matrices make of the unit square."""
    matrix, holder = item.get_matrix(), item.container
    size = abs(matrix.a * matrix.d - matrix.b * matrix.c)
    while holder is not None:
        matrix, holder = holder.get_matrix(), holder.container
        size *= abs(matrix.a * matrix.d - matrix.b * matrix.c)
    return float(size)
