from __future__ import annotations

import time
from pathlib import Path

import pytest

from docrag.api import Page
from eval.extracted import Extracted, extracted, peak, silent

FIXTURES = Path(__file__).parents[2] / "fixtures"


def file(*texts: str, name: str = "synthetic/heceleme.pdf", **more: str) -> Extracted:
    pages = tuple(Page(number=n, text=text) for n, text in enumerate(texts, 1))
    return Extracted(name=name, pages=pages, seconds=0.1, **more)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    (tmp_path / "synthetic").mkdir()
    for name in ("heceleme.pdf", "html_adi_pdf.pdf", "talimat_cp1254_crlf.txt"):
        (tmp_path / "synthetic" / name).write_bytes((FIXTURES / name).read_bytes())
    (tmp_path / "synthetic" / "resim.xyz").write_bytes(b"?")
    return tmp_path


def test_extracted_tells_how_each_file_ended(documents: Path) -> None:
    found = {each.name: each.outcome for each in extracted(documents, None)}
    assert found == {
        "synthetic/heceleme.pdf": "read",
        "synthetic/html_adi_pdf.pdf": "refused",
        "synthetic/talimat_cp1254_crlf.txt": "read",
    }


@pytest.mark.parametrize(
    ("read", "lost"),
    [
        (file("metin"), ""),
        (file(""), "no text"),
        (file("metin", "iki"), "2 of 1 pages"),
        (file(refused="damaged"), ""),
        (file(crash="KeyError"), ""),
        (file("metin", "", name="text/a.docx"), ""),
    ],
)
def test_silent_names_what_was_lost(read: Extracted, lost: str, documents: Path) -> None:
    assert silent(read, documents) == lost


def test_outcome_of_a_crash_is_no_refusal() -> None:
    assert file(crash="KeyError").outcome == "crashed"


def test_peak_sees_this_process() -> None:
    with peak() as most:
        held = bytearray(30_000_000)
        time.sleep(0.3)
    assert most() > len(held) / 2**20
