"""Tesseract reads Turkish pages upright and within its time, or says what is missing."""

from __future__ import annotations

import time
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from docrag.api import LoaderError, OcrEngine, OcrUnavailable, SettingsError
from docrag.loaders.ocrsigns import DOUBT
from docrag.loaders.tesseract import TesseractEngine, _turned
from tests.unit.loaders.scans import TOP, needs_tesseract, page_image, png

LINE = "İŞ SAĞLIĞI VE GÜVENLİĞİ TALİMATI"
#: A table with one word, as the program prints it.
TABLE = r"head\n5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t91.5\t%s\n"


def program(folder: Path, *, languages: str = "tur osd", reading: str = "exit 1") -> str:
    """A program that lists these languages and reads as the script says."""
    path = folder / "tesseract"
    listed = "\n".join(languages.split())
    path.write_text(
        f"#!/bin/sh\ncase \"$*\" in\n*--list-langs*) echo '{listed}' ;;\n*) {reading} ;;\nesac\n"
    )
    path.chmod(0o755)
    return str(path)


@needs_tesseract
def test_turkish_lines_are_read() -> None:
    engine = TesseractEngine()
    assert isinstance(engine, OcrEngine)
    found = engine.read(png(page_image().crop(TOP)), dpi=300)
    assert LINE in found.text.split("\n")
    assert "MADDE 1 – (1) Bu talimatın amacı, Akçadere" in found.text
    assert found.confidence is not None and 0.9 < found.confidence <= 1


@pytest.mark.parametrize(("turn", "corner"), [(90, (3, 0)), (180, (3, 1)), (270, (0, 1))])
def test_page_is_turned_clockwise(turn: int, corner: tuple[int, int]) -> None:
    image = Image.new("L", (2, 4) if turn != 180 else (4, 2), 255)
    image.putpixel((0, 0), 0)
    with Image.open(BytesIO(_turned(png(image), turn))) as turned:
        assert turned.size == (4, 2)
        assert turned.getpixel(corner) == 0


@needs_tesseract
def test_doubtful_turn_is_tried_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = TesseractEngine()
    monkeypatch.setattr(engine, "_turn", lambda picture, deadline: (180, 3.0))
    line = page_image().crop((500, 300, 2000, 400))
    assert engine.read(png(line), dpi=300).text == LINE


@needs_tesseract
def test_empty_page_has_no_text() -> None:
    found = TesseractEngine().read(png(Image.new("L", (400, 300), 255)), dpi=300)
    assert (found.text, found.confidence) == ("", 0.0)


@needs_tesseract
def test_broken_picture_fails_alone() -> None:
    with pytest.raises(LoaderError, match="no text could be recognised"):
        TesseractEngine().read(b"\x89PNG", dpi=300)


def test_slow_page_fails_alone(tmp_path: Path) -> None:
    engine = TesseractEngine(page_seconds=0.3, command=program(tmp_path, reading="exec sleep 20"))
    start = time.monotonic()
    with pytest.raises(LoaderError, match=r"within 0\.3 seconds"):
        engine.read(b"", dpi=300)
    assert time.monotonic() - start < 5


def test_page_has_one_thread_and_its_words(tmp_path: Path) -> None:
    reading = f'printf "{TABLE}" "$OMP_THREAD_LIMIT"'
    found = TesseractEngine(command=program(tmp_path, reading=reading)).read(b"", dpi=300)
    assert (found.text, found.confidence) == ("1", 0.915)


def test_specks_are_no_words(tmp_path: Path) -> None:
    rows = [
        ("91.5", 30, "Yürütme"),
        ("9.5", 6, "N"),
        ("89.0", 4, "—"),
        ("30.0", 28, "ılık"),
        ("90.0", 29, "su"),
    ]
    table = "head\\n" + "".join(
        rf"5\t1\t1\t1\t1\t{at}\t0\t0\t9\t{height}\t{sure}\t{text}\n"
        for at, (sure, height, text) in enumerate(rows, start=1)
    )
    engine = TesseractEngine(command=program(tmp_path, reading=f"printf '{table}'"))
    assert engine.read(b"", dpi=300).text == "Yürütme — ılık su"


@needs_tesseract
def test_signs_that_turkish_data_lack_are_read() -> None:
    image = Image.new("L", (1400, 300), 255)
    font = ImageFont.load_default(size=46)
    ImageDraw.Draw(image).text((60, 100), "Oksijen en az %19,5 ve nem %60 olur", font=font, fill=0)
    found = TesseractEngine().read(png(image), dpi=300)
    assert (found.text, found.doubt) == ("Oksijen en az %19,5 ve nem %60 olur", "")


@pytest.mark.parametrize(("languages", "word"), [("tur osd", "80"), ("tur eng osd", "80>")])
def test_doubt_about_numbers_is_told(tmp_path: Path, languages: str, word: str) -> None:
    command = program(tmp_path, languages=languages, reading=f'printf "{TABLE}" "{word}"')
    found = TesseractEngine(command=command).read(b"", dpi=300)
    assert (found.text, found.doubt) == (word, DOUBT)


def test_program_is_told_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCRAG_SECRET_KEY", "gizli")
    reading = f'printf "{TABLE}" "${{DOCRAG_SECRET_KEY:-none}}"'
    found = TesseractEngine(command=program(tmp_path, reading=reading)).read(b"", dpi=300)
    assert found.text == "none"


@pytest.mark.parametrize(("dpi", "told"), [(200, "--dpi 200"), (72, "--psm 3 tsv")])
def test_resolution_is_told_where_it_can_be_true(tmp_path: Path, dpi: int, told: str) -> None:
    reading = f'printf "{TABLE}" "$*"'
    found = TesseractEngine(command=program(tmp_path, reading=reading)).read(b"", dpi=dpi)
    assert told in found.text
    assert "-l tur " in found.text


@pytest.mark.parametrize(
    ("languages", "language", "said"),
    [
        ("eng osd", "tur", "no tur; install it with `apt install tesseract-ocr-tur`"),
        ("tur osd", "tur+chi_sim", "no chi_sim; .*tesseract-ocr-chi-sim"),
        ("tur", "tur", "no osd; .*tesseract-ocr-osd"),
        ("", "tur", "no tur and no osd"),
    ],
)
def test_missing_language_is_named(
    tmp_path: Path, languages: str, language: str, said: str
) -> None:
    with pytest.raises(OcrUnavailable, match=said):
        TesseractEngine(language=language, command=program(tmp_path, languages=languages))


def test_missing_program_is_named() -> None:
    with pytest.raises(OcrUnavailable, match="apt install tesseract-ocr tesseract-ocr-tur"):
        TesseractEngine(command="yok-boyle-bir-program")


def test_vanished_program_is_unavailable(tmp_path: Path) -> None:
    engine = TesseractEngine(command=program(tmp_path))
    (tmp_path / "tesseract").unlink()
    with pytest.raises(OcrUnavailable, match="does not run here"):
        engine.read(b"", dpi=300)


@pytest.mark.parametrize(
    "options",
    [{"language": ""}, {"language": "-l eng"}, {"language": "tur+"}, {"page_seconds": 0}],
)
def test_wrong_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="tesseract: "):
        TesseractEngine(**options)
