"""The doctor says what reads scans, or what to install."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from docrag.cli import main
from docrag.testing.vision import FakeVision


def look(folder: Path, name: str, **options: object) -> tuple[bool, str]:
    """What the doctor says of this engine with these options."""
    env = {
        "DOCRAG_INSTANCE": str(folder),
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_OCR": name,
        "DOCRAG_OCR_OPTIONS": json.dumps(options),
    }
    result = CliRunner().invoke(main, ["doctor", "--json"], env=env)
    rows = {row["check"]: row for row in json.loads(result.stdout)}
    return rows["ocr"]["ok"], rows["ocr"]["detail"]


def test_doctor_says_what_to_install(tmp_path: Path) -> None:
    ok, detail = look(tmp_path, "auto", command="yok-boyle-bir-program")
    assert ok
    assert "none: scans are not read; " in detail
    assert "apt install tesseract-ocr tesseract-ocr-tur" in detail


def test_doctor_reports_an_engine_that_is_asked_for(tmp_path: Path) -> None:
    ok, detail = look(tmp_path, "tesseract", command="yok-boyle-bir-program")
    assert not ok
    assert "apt install" in detail


def test_doctor_has_the_model_read(tmp_path: Path) -> None:
    with FakeVision(answer="Belge 4721") as fake:
        found = look(tmp_path, "vision", model="göz", url=fake.url)
        assert found == (True, f"göz of Ollama at {fake.url}")


def test_doctor_shows_no_key(tmp_path: Path) -> None:
    with FakeVision(fault="401") as fake:
        ok, detail = look(tmp_path, "vision", model="göz", url=fake.url, api_key="sk-gizli")
    assert not ok
    assert "check api_key" in detail
    assert "gizli" not in detail
