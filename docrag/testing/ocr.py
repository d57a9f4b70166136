"""The contract of every engine that reads pictures of pages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image, ImageDraw, ImageFont

from docrag.api import LoaderError, OcrEngine, OcrUnavailable

#: Threads that read at the same time.
THREADS = 2
#: Resolution of the pictures, dots an inch.
DPI = 300
#: What one picture says, in large print.
LINE = "Belge 4721"


def picture(line: str = LINE) -> bytes:
    """A PNG with one line; a blank one for an empty line."""
    image = Image.new("L", (900, 160), color=255)
    ImageDraw.Draw(image).text((40, 40), line, fill=0, font=ImageFont.load_default(60))
    out = BytesIO()
    image.save(out, format="png")
    return out.getvalue()


class OcrEngineContract:
    """Inherit in a test class and give the engine; every test of this class must pass."""

    def engine(self) -> OcrEngine:
        """The engine under test; the same object may be given to every test."""
        raise NotImplementedError

    def test_engine_offers_protocol(self) -> None:
        """It has the protocol's method, and a name for messages."""
        engine = self.engine()
        assert isinstance(engine, OcrEngine)
        assert engine.name

    def test_read_gives_the_text(self) -> None:
        """A clear line is read; the confidence is a share or unknown."""
        found = self.engine().read(picture(), dpi=DPI)
        assert found.text.strip() == LINE
        assert found.confidence is None or 0 <= found.confidence <= 1

    def test_read_invents_nothing(self) -> None:
        """A blank page has no text."""
        assert self.engine().read(picture(""), dpi=DPI).text.strip() == ""

    def test_read_refuses_what_is_no_picture(self) -> None:
        """Other bytes fail by name."""
        with pytest.raises((LoaderError, OcrUnavailable)):
            self.engine().read(b"%PDF-1.7", dpi=DPI)

    def test_read_works_in_threads(self) -> None:
        """Two pages at a time do not disturb each other."""
        engine, pictures = self.engine(), [picture(), picture("")]
        with ThreadPoolExecutor(THREADS) as pool:
            found = list(pool.map(lambda shown: engine.read(shown, dpi=DPI).text, pictures))
        assert [text.strip() for text in found] == [LINE, ""]
