"""Every shared file ends in pages or in a LoaderError, within the limits."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from docrag.api import Loader, LoaderError, Page
from docrag.loaders.md import MarkdownLoader
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.txt import TextLoader

ROOT = Path(__file__).parents[3]
DOCS = ROOT / os.environ.get("DATA", "../shared/data") / "docs"
LOADERS: dict[str, type[Loader]] = {".pdf": PdfLoader, ".txt": TextLoader, ".md": MarkdownLoader}
#: Files of many pages, left to one slow test.
LARGE = {"cok_sayfa_3000.pdf", "cukurova_lisansustu.pdf", "kanun_4857.pdf", "kanun_6331.pdf"}


def files() -> Iterator[Path]:
    """Shared files that a built-in loader reads, large ones left out."""
    for path in sorted(DOCS.glob("*/*")):
        if path.suffix in LOADERS and path.name not in LARGE:
            yield path


def load(name: str) -> list[Page]:
    path = DOCS / name
    if not path.exists():
        pytest.skip(f"SHARED DATA ABSENT: {name} (set DATA)")
    return list(LOADERS[path.suffix]().load(path.read_bytes(), filename=path.name))


def check(pages: list[Page]) -> None:
    """The pages are as the store needs them."""
    numbers = [page.number for page in pages]
    text = "".join(page.text for page in pages)
    assert numbers in (list(range(1, len(pages) + 1)), [None] * len(pages))
    assert "\x00" not in text
    assert unicodedata.is_normalized("NFC", text)
    assert text.encode("utf-8").strip() or all(page.warning for page in pages)


@pytest.mark.skipif(not DOCS.exists(), reason="SHARED DATA ABSENT: set DATA")
@pytest.mark.parametrize("path", list(files()), ids=lambda path: path.name)
def test_shared_file_ends_in_pages_or_reason(path: Path) -> None:
    start = time.monotonic()
    try:
        check(load(str(path)))
    except LoaderError as exc:
        assert path.name in str(exc)
    assert time.monotonic() - start < 30


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("synthetic/cok_sayfa_3000.pdf", 3000),
        ("tr/cukurova_lisansustu.pdf", 25),
        ("tr/kanun_4857.pdf", 53),
    ],
)
def test_large_file_keeps_every_page(name: str, count: int) -> None:
    pages = load(name)
    check(pages)
    assert len(pages) == count


def test_law_stands_on_its_physical_pages() -> None:
    pages = load("tr/kanun_6331.pdf")
    assert len(pages) == 24
    assert "MADDE 10 " in pages[6].text
    assert not [page.warning for page in pages if page.warning]


def test_bomb_is_refused_fast() -> None:
    start = time.monotonic()
    with pytest.raises(LoaderError, match="unreasonable size"):
        load("synthetic/sismis_icerik_186MB.pdf")
    assert time.monotonic() - start < 10


def test_words_are_not_split() -> None:
    text = "\n".join(page.text for page in load("tr/firat_141.pdf"))
    assert text.count("uzmanlık") >= 150
    assert "uzmanl ık" not in text


def test_missing_letter_is_restored() -> None:
    text = "\n".join(page.text for page in load("tr/firat_106.pdf"))
    assert "Lisansüstü" in text
    assert "Eğitim-Öğretim" in text
    assert "Ünverstes" not in text


def test_scanned_document_warns_on_every_page() -> None:
    warnings = [page.warning for page in load("tr/firat_016.pdf")]
    assert [f"no text on page {n}" in w for n, w in enumerate(warnings, 1)] == [True] * 4


def test_columns_keep_their_order() -> None:
    text = "\n".join(page.text for page in load("synthetic/iki_sutun_6331_m10-17.pdf"))
    places = [text.find(f"MADDE {n} ") for n in range(10, 18)]
    assert places == sorted(places)
    assert -1 not in places


def test_broken_font_letters_are_mapped() -> None:
    for name in ("tr/firat_002.pdf", "tr/firat_042.pdf", "tr/firat_118.pdf"):
        text = "".join(page.text for page in load(name))
        assert not set(text) & set("ĠġĢ")
