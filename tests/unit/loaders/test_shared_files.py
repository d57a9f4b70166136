"""Every shared file ends in pages or in a LoaderError, within the limits."""

from __future__ import annotations

import os
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from docrag.api import Loader, LoaderError, OcrEngine, Page
from docrag.loaders.md import MarkdownLoader
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.txt import TextLoader
from tests.unit.loaders.scribes import Scribe

ROOT = Path(__file__).parents[3]
DOCS = ROOT / os.environ.get("DATA", "../shared/data") / "docs"
LOADERS: dict[str, Callable[..., Loader]] = {
    ".pdf": PdfLoader,
    ".txt": TextLoader,
    ".md": MarkdownLoader,
}
#: Files of many pages, left to one slow test.
LARGE = {"cok_sayfa_3000.pdf", "cukurova_lisansustu.pdf", "kanun_4857.pdf", "kanun_6331.pdf"}


def files() -> Iterator[Path]:
    """Shared files that a built-in loader reads, large ones left out."""
    for path in sorted(DOCS.glob("*/*")):
        if path.suffix in LOADERS and path.name not in LARGE:
            yield path


def load(name: str, **options: OcrEngine) -> list[Page]:
    path = DOCS / name
    if not path.exists():
        pytest.skip(f"SHARED DATA ABSENT: {name} (set DATA)")
    loader = LOADERS[path.suffix](**options)
    return list(loader.load(path.read_bytes(), filename=path.name))


def ending(name: str) -> str:
    """The text of a file, or why it was refused."""
    try:
        return "\n".join(page.text for page in load(name))
    except LoaderError as exc:
        return str(exc)


@contextmanager
def peak() -> Iterator[Callable[[], float]]:
    """Most memory of this process' children together while the block runs, MB."""
    most, ended = [0.0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.02):
            most.append(sum(map(resident, psutil.Process().children(recursive=True))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield lambda: max(most)
    finally:
        ended.set()
        watcher.join()


def resident(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss) / 2**20
    except psutil.Error:
        return 0.0


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
    assert not [page.number for page in pages if page.text.strip().startswith("116")]


def test_b01_words_are_not_split() -> None:
    text = "\n".join(page.text for page in load("tr/firat_141.pdf"))
    assert text.count("uzmanlık") >= 150
    assert "uzmanl ık" not in text


def test_b02_missing_letter_is_restored() -> None:
    text = "\n".join(page.text for page in load("tr/firat_106.pdf"))
    assert "Lisansüstü" in text
    assert "Eğitim-Öğretim" in text
    assert "Ünverstes" not in text


def test_b05_scan_without_recognition_is_refused() -> None:
    with pytest.raises(LoaderError, match="no text on pages 1–4; it holds only pictures"):
        load("tr/firat_016.pdf")


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("tr/firat_010.pdf", (1, 2)),
        ("synthetic/bir_metin_uc_tarama.pdf", (2, 3, 4)),
        ("synthetic/karisik_6331_s6_7_8.pdf", (2,)),
    ],
)
def test_b37_each_page_without_text_is_recognised(name: str, numbers: tuple[int, ...]) -> None:
    pages = load(name, ocr=Scribe("MADDE 2 – (1) Okunan sayfa."))
    assert tuple(page.number for page in pages if "Okunan sayfa" in page.text) == numbers
    assert [page.warning for page in pages] == [""] * len(pages)


def test_text_in_another_script_is_not_replaced_by_a_doubtful_reading() -> None:
    (page,) = load("nasty/pdfjs__ArabicCIDTrueType.pdf", ocr=Scribe("xzy", confidence=0.5))
    assert "العربية" in page.text
    assert "few Latin letters" in page.warning


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("synthetic/sismis_icerik_186MB.pdf", "unreasonable size"),
        ("synthetic/sifreli_kullanici_6331.pdf", "protected with a password"),
        ("nasty/pypdf__encryption_r6-both-passwords.pdf", "protected with a password"),
        ("nasty/pdfjs__labelled_pages.pdf", "no text on pages 1–11"),
        ("nasty/samples__017-unreadable-meta-data_unreadablemetadata.pdf", "damaged"),
    ],
)
def test_file_is_refused_with_reason(name: str, words: str) -> None:
    with pytest.raises(LoaderError, match=words):
        load(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nasty/miner__contrib_issue-1113-evil-xobjects.pdf", ""),
        ("nasty/pdfjs__Pages-tree-refs.pdf", "Pages loop"),
        ("nasty/pdfjs__issue6069.pdf", ""),
        ("nasty/pdfjs__encrypted-attachment.pdf", ""),
        ("nasty/pdfjs__bug1606566.pdf", "1606566"),
        ("nasty/miner__contrib_issue-625-identity-cmap.pdf", ""),
        ("nasty/samples__012-libreoffice-form_libreoffice-form.pdf", "Alice Bob"),
        ("nasty/pdfjs__secHandler.pdf", "Security Handler"),
    ],
)
def test_text_that_one_reader_misses_is_read(name: str, text: str) -> None:
    read = "".join(page.text for page in load(name))
    assert read.strip()
    assert text in read


def test_b08_crafted_files_end_within_time_and_memory() -> None:
    names = (
        "synthetic/sismis_icerik_186MB.pdf",
        "nasty/pdfjs__Pages-tree-refs.pdf",
        "nasty/miner__contrib_issue-1113-evil-xobjects.pdf",
        "nasty/plumber__nics-background-checks-2015-11-rotated.pdf",
    )
    start = time.monotonic()
    with ThreadPoolExecutor(len(names)) as pool, peak() as most:
        ends = list(pool.map(ending, names))
    assert ["refused" in end for end in ends] == [True, False, False, False]
    assert time.monotonic() - start < 20
    assert most() < 600


def test_b13_columns_keep_their_order() -> None:
    text = "\n".join(page.text for page in load("synthetic/iki_sutun_6331_m10-17.pdf"))
    places = [text.find(f"MADDE {n} ") for n in range(10, 18)]
    assert places == sorted(places)
    assert -1 not in places
    assert text.count("Resmî Gazete biçimi") == 1


def test_b13_columns_of_a_paper_keep_their_order() -> None:
    pages = load("nasty/samples__026-latex-multicolumn_multicolumn.pdf")
    assert len(pages) == 3
    assert not [page.warning for page in pages if page.warning]


def test_b13_columns_read_across_are_flagged() -> None:
    (page,) = load("synthetic/iki_sutun_satir_sirali.pdf")
    assert "out of order" in page.warning


def test_broken_font_letters_are_mapped() -> None:
    for name in ("tr/firat_002.pdf", "tr/firat_042.pdf", "tr/firat_118.pdf"):
        text = "".join(page.text for page in load(name))
        assert not set(text) & set("ĠġĢ")


def test_letter_behind_a_foreign_sign_is_found() -> None:
    pages = load("tr/cukurova_lisansustu.pdf")
    text = "".join(page.text for page in pages)
    assert "\u0d74" not in text
    assert text.count("Lisansüstü eğitim") + text.count("lisansüstü eğitim") > 5
    assert not [page.warning for page in pages if page.warning]
