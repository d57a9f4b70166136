"""The engine that reads scanned pages, chosen by name."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from docrag.api import OcrUnavailable, SettingsError
from docrag.loaders.tesseract import TesseractEngine
from docrag.loaders.vision import VisionEngine

logger = logging.getLogger(__name__)

Engine: TypeAlias = TesseractEngine | VisionEngine

#: Engines by name.
ENGINES: Final[Mapping[str, Callable[..., Engine]]] = {
    TesseractEngine.name: TesseractEngine,
    VisionEngine.name: VisionEngine,
}
#: Takes Tesseract where it is installed with the language; no page is sent anywhere unasked.
AUTO: Final = "auto"
#: Reads no scans.
NONE: Final = "none"


def ocr_of(name: str, options: Mapping[str, Any]) -> Engine | None:
    """A new engine, ``None`` when scans are not read.

    :param name: ``auto``, ``tesseract``, ``vision`` or ``none``.
    :param options: of that engine; ``auto`` takes those of ``tesseract``.
    :raises SettingsError: an unknown name, an option that the engine does not take, lacks or
        refuses, or ``tesseract`` without the program or the language.
    """
    if name == NONE:
        return None
    try:
        return engine_of(name, options)
    except OcrUnavailable as exc:
        if name != AUTO:
            raise SettingsError(f"DOCRAG_OCR is {name!r}, but {exc}") from exc
        logger.info("scans are not read: %s", exc, extra={"action": "ocr.absent"})
        return None


def engine_of(name: str, options: Mapping[str, Any]) -> Engine:
    """A new engine, with the reason where there can be none.

    :param name: ``auto``, ``tesseract`` or ``vision``.
    :raises SettingsError: an unknown name, or an option is wrong.
    :raises OcrUnavailable: the program or the language is missing.
    """
    engine = ENGINES.get(TesseractEngine.name if name == AUTO else name)
    if engine is None:
        names = ", ".join((AUTO, *ENGINES, NONE))
        raise SettingsError(f"DOCRAG_OCR is {name!r}; it may be {names}")
    try:
        inspect.signature(engine).bind(**options)
    except TypeError as exc:
        known = ", ".join(inspect.signature(engine).parameters)
        raise SettingsError(f"DOCRAG_OCR_OPTIONS of {name!r}: {exc}; it takes {known}") from exc
    try:
        return engine(**options)
    except (AttributeError, TypeError, ValueError) as exc:
        # The value may be a key: only its kind is told.
        raise SettingsError(
            f"DOCRAG_OCR_OPTIONS of {name!r}: a value is of the wrong type ({type(exc).__name__})"
        ) from exc
