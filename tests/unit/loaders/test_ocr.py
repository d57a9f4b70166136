"""The engine for scans is what the settings name, or the reason why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docrag.api import OcrUnavailable, SettingsError
from docrag.loaders.ocr import ocr_of
from docrag.loaders.ocrprobe import probed
from docrag.loaders.vision import VisionEngine
from docrag.testing.vision import FakeVision
from tests.unit.loaders.scans import needs_tesseract
from tests.unit.loaders.test_tesseract import program

ABSENT = {"command": "yok-boyle-bir-program"}


def test_none_reads_nothing() -> None:
    assert ocr_of("none", {"x": 1}) is None
    assert probed("none", {}) == "none: scans are not read"


@pytest.mark.parametrize("name", ["auto", "tesseract"])
def test_tesseract_is_taken_where_it_is(tmp_path: Path, name: str) -> None:
    engine = ocr_of(name, {"command": program(tmp_path)})
    assert engine is not None and engine.name == "tesseract"


def test_auto_reads_nothing_without_the_language(tmp_path: Path) -> None:
    options = {"command": program(tmp_path, languages="eng osd")}
    assert ocr_of("auto", options) is None
    assert "apt install tesseract-ocr-tur" in probed("auto", options)


def test_tesseract_is_refused_without_the_language(tmp_path: Path) -> None:
    options = {"command": program(tmp_path, languages="eng osd")}
    with pytest.raises(SettingsError, match="'tesseract', but tesseract has no tur"):
        ocr_of("tesseract", options)
    with pytest.raises(OcrUnavailable, match="no tur"):
        probed("tesseract", options)


def test_vision_takes_its_options() -> None:
    assert isinstance(ocr_of("vision", {"model": "göz"}), VisionEngine)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("gpt", {}, "auto, tesseract, vision, none"),
        ("auto", {"url": "http://x"}, "it takes language, page_seconds, command"),
        ("vision", {}, "'model'; it takes model, server"),
        ("vision", {"model": "x", "api_key": 5}, "must be a text"),
        ("tesseract", {"page_seconds": "sk-gizli"}, "wrong type"),
    ],
)
def test_wrong_option_is_named(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        ocr_of(name, options)
    assert "gizli" not in str(caught.value)


@needs_tesseract
def test_probe_has_tesseract_read() -> None:
    assert probed("auto", {}) == "tesseract, language tur"


def test_probe_has_the_model_read() -> None:
    with FakeVision(answer="Belge 4721") as fake:
        options = {"model": "göz", "url": fake.url}
        assert probed("vision", options) == f"göz of Ollama at {fake.url}"


def test_probe_sees_through_a_model_that_invents() -> None:
    with FakeVision(answer="Belge 1234") as fake, pytest.raises(OcrUnavailable, match="take pict"):
        probed("vision", {"model": "kör", "url": fake.url})
