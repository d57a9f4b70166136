"""Every engine for text recognition keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docrag.api import OcrEngine
from docrag.loaders.tesseract import TesseractEngine
from docrag.loaders.vision import VisionEngine
from docrag.testing.ocr import LINE, OcrEngineContract, picture
from docrag.testing.vision import FakeVision
from tests.unit.loaders.scans import needs_tesseract


@needs_tesseract
class TestTesseract(OcrEngineContract):
    def engine(self) -> OcrEngine:
        return TesseractEngine()


def seen(shown: bytes) -> str:
    """What a model with good eyes writes."""
    known = {picture(): LINE, picture(""): "[BOŞ SAYFA]"}
    return known.get(shown, "I'm sorry, I see no image.")


class TestVision(OcrEngineContract):
    @pytest.fixture(autouse=True, params=["ollama", "openai"])
    def _server(self, request: pytest.FixtureRequest) -> Iterator[None]:
        with FakeVision(answer=seen) as fake:
            url = fake.url if request.param == "ollama" else f"{fake.url}/v1"
            self.built = VisionEngine(model="m", server=request.param, url=url)
            yield

    def engine(self) -> OcrEngine:
        return self.built
