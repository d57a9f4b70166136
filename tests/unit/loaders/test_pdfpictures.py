"""A large picture beside text is read, or named; grounds and emblems are none."""

from __future__ import annotations

from io import BytesIO

import pypdf
import pytest
from PIL import Image

from docrag.loaders.pdf import PdfLoader
from tests.unit.loaders.scribes import Scribe

SAID = "Benzen sınırı 1 ppm"
NAMED = "page 1 has a large picture beside its text; what it says was not read"


def illustrated(sample: bytes, *, share: float, pages: tuple[int, ...] = (0,)) -> bytes:
    """The sample's first two pages, these with the same picture over a share of their width."""
    writer = pypdf.PdfWriter()
    writer.append(BytesIO(sample), pages=(0, 2))
    drawn = BytesIO()
    Image.new("L", (300, 400), 200).save(drawn, format="PDF", resolution=72)
    picture = pypdf.PdfReader(drawn).pages[0]
    for at in pages:
        scale = share * float(writer.pages[at].mediabox.width) / 300
        place = pypdf.Transformation().scale(scale)
        writer.pages[at].merge_transformed_page(picture, place, over=False)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_large_picture_beside_text_is_named(pdf_sample: bytes) -> None:
    pages = PdfLoader().load(illustrated(pdf_sample, share=0.66), filename="a.pdf")
    assert [page.warning for page in pages] == [NAMED, ""]


def test_large_picture_beside_text_is_read(pdf_sample: bytes) -> None:
    scribe = Scribe(SAID)
    data = illustrated(pdf_sample, share=1)
    first, second = PdfLoader(ocr=scribe).load(data, filename="a.pdf")
    assert first.text.endswith(SAID) and "MADDE 1" in first.text
    assert (first.warning, second.warning, len(scribe.resolutions)) == ("", "", 1)


@pytest.mark.parametrize(("share", "pages"), [(0.3, (0,)), (1, (0, 1))])
def test_emblem_and_ground_are_no_pictures(
    pdf_sample: bytes, share: float, pages: tuple[int, ...]
) -> None:
    data = illustrated(pdf_sample, share=share, pages=pages)
    assert [page.warning for page in PdfLoader().load(data, filename="a.pdf")] == ["", ""]


def test_large_picture_is_named_where_the_engine_fails(pdf_sample: bytes) -> None:
    data = illustrated(pdf_sample, share=0.66)
    pages = PdfLoader(ocr=Scribe(error="too dark")).load(data, filename="a.pdf")
    assert [page.warning for page in pages] == [NAMED, ""]
