"""The engine for scans is built once and handed to the loaders that take one."""

from __future__ import annotations

from typing import Any, cast

import pytest

from docrag.api import SettingsError
from docrag.components import Components
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store import Store


def components(name: str, **options: object) -> Components:
    """Parts of a process that never asks its database."""
    settings = Settings(ocr=name, ocr_options=options)
    return Components(settings, registry=Registry(), store=cast(Store, None))


def engine_of(loader: object) -> Any:  # noqa: ANN401 - a private part of the loader
    return getattr(loader, "_ocr")  # noqa: B009 - mypy knows only the protocol


def test_engine_is_built_once() -> None:
    parts = components("vision", model="göz")
    assert parts.ocr is not None and parts.ocr.name == "vision"
    assert parts.ocr is parts.ocr


def test_pdf_loader_is_handed_the_engine() -> None:
    parts = components("vision", model="göz")
    assert engine_of(parts.loader("pdf")) is not None
    assert parts.loader("md") is not None


def test_pdf_loader_has_none_when_scans_are_not_read() -> None:
    assert engine_of(components("none").loader("pdf")) is None


def test_wrong_option_ends_the_start() -> None:
    with pytest.raises(SettingsError, match="DOCRAG_OCR_OPTIONS of 'vision'"):
        _ = components("vision", adres="http://x").ocr
