"""Pages become pictures at their own resolution, within bounds."""

from __future__ import annotations

from io import BytesIO

import pypdf
import pytest
from PIL import Image, ImageDraw
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
)

from docrag.api import LoaderError
from docrag.loaders import rendering
from docrag.loaders.raster import Picture, Raster
from tests.unit.loaders.scans import blank, scan

#: A4 at 150 dots an inch.
SHEET = (1240, 1754)


def sheet(size: tuple[int, int] = SHEET) -> Image.Image:
    image = Image.new("L", size, 255)
    ImageDraw.Draw(image).rectangle((40, 80, size[0] // 2, 160), fill=0)
    return image


def drawn(data: bytes, number: int = 1) -> Picture:
    return Raster(timeout=30, memory_limit=1024).page(data, number, filename="tarama.pdf")


def size(picture: Picture) -> tuple[int, int]:
    with Image.open(BytesIO(picture.png)) as image:
        assert (image.format, image.mode) == ("PNG", "L")
        return image.size


def near(found: tuple[int, int], wanted: tuple[int, int]) -> bool:
    return all(abs(a - b) <= 1 for a, b in zip(found, wanted, strict=True))


def saved(writer: pypdf.PdfWriter) -> bytes:
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def nested(data: bytes) -> bytes:
    """The same page with its content in a form that is drawn at half size on half the page."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(data))
    page = writer.pages[0]
    form = DecodedStreamObject()
    form.set_data(page.get_contents().get_data())  # type: ignore[union-attr] # it is there
    form[NameObject("/Type")] = NameObject("/XObject")
    form[NameObject("/Subtype")] = NameObject("/Form")
    form[NameObject("/BBox")] = page.mediabox
    form[NameObject("/Matrix")] = ArrayObject([FloatObject(n) for n in (0.5, 0, 0, 0.5, 0, 0)])
    form[NameObject("/Resources")] = page["/Resources"]
    held = DictionaryObject({NameObject("/F"): writer._add_object(form)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): held})
    content = DecodedStreamObject()
    content.set_data(b"/F Do")
    page[NameObject("/Contents")] = writer._add_object(content)
    page.mediabox.upper_right = (page.mediabox.width / 2, page.mediabox.height / 2)
    page.cropbox.upper_right = page.mediabox.upper_right
    return saved(writer)


@pytest.mark.parametrize(
    ("own", "used", "pixels"),
    [(150, 150, SHEET), (72, 72, SHEET), (600, 300, (620, 877)), (900, 300, (414, 585))],
)
def test_scan_keeps_its_resolution(own: int, used: int, pixels: tuple[int, int]) -> None:
    picture = drawn(scan(sheet(), dpi=own))
    assert (picture.number, picture.dpi) == (1, used)
    assert near(size(picture), pixels)


def test_second_page_has_its_own_resolution() -> None:
    picture = drawn(scan(sheet(), sheet((620, 877))), 2)
    assert picture.number == 2
    assert near(size(picture), (620, 877))


def test_turned_page_is_drawn_as_people_see_it() -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(scan(sheet(), dpi=150)))
    writer.pages[0].rotate(90)
    picture = drawn(saved(writer))
    assert picture.dpi == 150
    assert near(size(picture), SHEET[::-1])


def test_scan_in_a_form_keeps_its_resolution() -> None:
    picture = drawn(nested(scan(sheet(), dpi=100)))
    assert picture.dpi == 200
    assert near(size(picture), SHEET)


def test_page_without_a_scan_is_drawn_for_small_type(pdf_sample: bytes) -> None:
    picture = drawn(pdf_sample, 4)
    assert picture.dpi == rendering.VECTOR_DPI
    assert near(size(picture), (2481, 3508))


def test_emblem_makes_no_scan() -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(scan(sheet(), dpi=1000)))
    writer.pages[0].mediabox.upper_right = (600, 800)
    assert drawn(saved(writer)).dpi == rendering.VECTOR_DPI


@pytest.mark.parametrize("sides", [(100_000, 100_000), (100_000, 1)])
def test_huge_page_takes_little(sides: tuple[int, int]) -> None:
    width, height = size(drawn(blank(*sides)))
    assert width * height <= rendering.MOST_PIXELS * 1.01
    assert max(width, height) <= rendering.MOST_SIDE + 1


@pytest.mark.parametrize("number", [0, 3, -1])
def test_missing_page_is_refused(number: int) -> None:
    with pytest.raises(LoaderError, match=f"page {number} cannot be opened"):
        drawn(scan(sheet(), sheet()), number)


def test_other_file_is_refused() -> None:
    with pytest.raises(LoaderError, match=r"'tarama.pdf' was refused"):
        drawn(b"<html>")


def test_protected_file_is_refused() -> None:
    writer = pypdf.PdfWriter(clone_from=BytesIO(blank(100, 100)))
    writer.encrypt("parola")
    with pytest.raises(LoaderError, match="cannot be opened"):
        drawn(saved(writer))
