"""Draws one page of a PDF with pdfium; runs in the child and imports nothing of docrag."""

from __future__ import annotations

import base64
import math
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

import pypdfium2
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Dots an inch of a page that is no scan: 200 and 300 read equally well, small type better at 300.
VECTOR_DPI = 300
#: Dots an inch above which those of a scan are divided by a whole number: more only costs time.
MOST_DPI = 400
#: Most pixels of a picture: A3 at 300 dots an inch has 17 million. Tesseract takes 16 bytes for
#: each of the worst picture, and a worker may take 600 MB.
MOST_PIXELS = 20_000_000
#: Most pixels of a side: image libraries end at 32,767.
MOST_SIDE = 20_000
#: Share of the page that pictures cover on a scan; less is a drawing, a stamp or an emblem.
SCAN_SHARE = 0.5
#: Objects that are looked at to find the scan: a page may hold millions.
MOST_IMAGES = 2000
_POINTS = 72.0


def read(data: bytes, *, number: int) -> Iterator[dict[str, str]]:
    """One record with the page as ``png`` (base64, gray) and its ``dpi``, or one ``error``.

    :param number: physical page from 1.
    """
    try:
        document = pypdfium2.PdfDocument(data)
        page = document[number - 1]
        size = page.get_size()
    except (pypdfium2.PdfiumError, IndexError, ValueError):
        yield {"error": f"page {number} cannot be opened to draw it"}
        return
    if not all(math.isfinite(side) and side > 0 for side in size):
        yield {"error": f"page {number} has no size to draw it in"}
        return
    dpi = bounded(resolution(page, size), size)
    picture = page.render(scale=dpi / _POINTS, grayscale=True).to_pil()
    out = BytesIO()
    picture.save(out, format="png", compress_level=1)
    yield {"png": base64.b64encode(out.getvalue()).decode(), "dpi": str(max(1, round(dpi)))}


def resolution(page: pypdfium2.PdfPage, size: tuple[float, float]) -> float:
    """Dots an inch to draw the page at: those of its scan, or `VECTOR_DPI` for any other page."""
    images = sorted(_images(page), reverse=True)
    covered = sum(area for area, _ in images)
    if not images or covered < SCAN_SHARE * size[0] * size[1]:
        return VECTOR_DPI
    # Strips of a scan are of one size; of layers, the finest one holds the letters.
    dpi = max(dots for area, dots in images if 2 * area >= images[0][0])
    return dpi / math.ceil(dpi / MOST_DPI)


def _images(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float]]:
    """Placed area (square points) and dots an inch of each picture."""
    objects = page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE])
    for item in islice(objects, MOST_IMAGES):
        width, height = item.get_px_size()
        area, holder = _area(item), item.container
        while holder is not None:
            area, holder = area * _area(holder), holder.container
        if area > 0 and width * height > 0:
            yield area, _POINTS * math.sqrt(width * height / area)


def _area(item: pypdfium2.PdfObject) -> float:
    """What the object's matrix makes of the unit square, whichever way it is turned."""
    matrix = item.get_matrix()
    return float(abs(matrix.a * matrix.d - matrix.b * matrix.c))


def bounded(dpi: float, size: tuple[float, float]) -> float:
    """The resolution, or a smaller one at which the picture has no more pixels than allowed."""
    most = _POINTS * math.sqrt(MOST_PIXELS / (size[0] * size[1]))
    return min(dpi, most, _POINTS * MOST_SIDE / max(size))
