"""Whether scans are read here, and by what: an engine proves it with a picture of its own."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from docrag.api import OcrUnavailable
from docrag.loaders.ocr import AUTO, NONE, engine_of

#: What the picture says; a model that is shown no picture cannot guess the number.
WORD: Final = "Belge 4721"
#: Size of the picture and of its letters, pixels, and its resolution, dots an inch.
_SIZE, _LETTERS, _DPI = (900, 160), 60, 300


def probed(name: str, options: Mapping[str, Any]) -> str:
    """What reads scans, in words for the operator, after it has read a picture of one line.

    :param name: as of :func:`docrag.loaders.ocr.ocr_of`, as are ``options``.
    :raises SettingsError: name or options are wrong.
    :raises OcrUnavailable: what the settings name is missing, or does not read the picture.
    :raises LoaderError: the engine failed over the picture.
    """
    if name == NONE:
        return "none: scans are not read"
    try:
        engine = engine_of(name, options)
    except OcrUnavailable as exc:
        if name == AUTO:
            return f"none: scans are not read; {exc}"
        raise
    if WORD.split()[1] not in engine.read(picture(), dpi=_DPI).text:
        raise OcrUnavailable(
            f"{engine.label} did not read what a test picture says; does it take pictures?"
        )
    return engine.label


def picture() -> bytes:
    """A PNG with one line of large print."""
    # Pillow takes time to import, and only this look needs to draw.
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", _SIZE, color=255)
    font = ImageFont.load_default(_LETTERS)
    ImageDraw.Draw(image).text((40, 40), WORD, fill=0, font=font)
    out = BytesIO()
    image.save(out, format="png")
    return out.getvalue()
