"""Pages as pictures and scanned files, made of the sample document; not a test module."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from io import BytesIO

import pypdf
import pytest
from PIL import Image

from docrag import samples
from docrag.loaders.raster import Raster

#: The title and the first article of the sample's first page at 300 dots an inch, in pixels.
TOP = (150, 280, 2300, 790)


@cache
def has_turkish() -> bool:
    """True if Tesseract is here and reads Turkish."""
    if shutil.which("tesseract") is None:
        return False
    listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, check=True)
    return {b"tur", b"osd"} <= set(listed.stdout.split())


#: For tests that need the real program.
needs_tesseract = pytest.mark.skipif(
    not has_turkish(),
    reason="TESSERACT WITH TURKISH ABSENT: apt install tesseract-ocr tesseract-ocr-tur",
)


@cache
def page_image() -> Image.Image:
    """The sample's first page, gray, at 300 dots an inch."""
    raster = Raster(timeout=60, memory_limit=1024)
    data = samples.read("is_guvenligi_talimati.pdf")
    return Image.open(BytesIO(raster.page(data, 1, filename="x.pdf").png))


def png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, format="png")
    return out.getvalue()


def scan(*images: Image.Image, dpi: float = 300) -> bytes:
    """A PDF with one picture a page."""
    out = BytesIO()
    images[0].save(out, format="pdf", resolution=dpi, save_all=True, append_images=images[1:])
    return out.getvalue()


def blank(width: float, height: float) -> bytes:
    """A PDF with one empty page, its size in points."""
    writer, out = pypdf.PdfWriter(), BytesIO()
    writer.add_blank_page(width=width, height=height)
    writer.write(out)
    return out.getvalue()
