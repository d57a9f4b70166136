"""What docrag's loaders make of every file of a folder: pages or a reason, and how long it took."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
import pypdfium2

from docrag.api import DocumentError, Loader, OcrEngine, Page
from docrag.registry import Registry

#: Folders of the shared documents, and their order in tables.
FOLDERS: Final = ("tr", "nasty", "synthetic", "text")
#: Seconds between two looks at the memory.
LOOK: Final = 0.02
_MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One file, read."""

    #: Below the folder of all documents: ``tr/firat_002.pdf``.
    name: str
    pages: tuple[Page, ...] = ()
    #: Why it was refused, in words for a clerk; empty for one that was read.
    refused: str = ""
    #: Class of an error that is none of a document; empty when all went as it should.
    crash: str = ""
    seconds: float

    @property
    def text(self) -> str:
        """All pages."""
        return "\n".join(page.text for page in self.pages)

    @property
    def warnings(self) -> list[str]:
        """What the pages warn of, in order."""
        return [page.warning for page in self.pages if page.warning]

    @property
    def outcome(self) -> str:
        """``read``, ``warned``, ``refused`` or ``crashed``."""
        if self.crash:
            return "crashed"
        if self.refused:
            return "refused"
        return "warned" if self.warnings else "read"


def extracted(documents: Path, engine: OcrEngine | None) -> Iterator[Extracted]:
    """All files that a built-in loader reads, in order of folder and name.

    :param engine: reads scanned pages; ``None`` leaves them with a warning.
    """
    registry = Registry(allowed=())
    loaders = {
        f".{suffix}": _loader(registry, suffix, engine) for suffix in registry.names("loaders")
    }
    for folder in FOLDERS:
        for file in sorted((documents / folder).glob("*")):
            if file.suffix in loaders:
                yield _one(file, documents, loaders[file.suffix])


def _loader(registry: Registry, suffix: str, engine: OcrEngine | None) -> Loader:
    taken = inspect.signature(registry.load("loaders", suffix)).parameters
    loader: Loader = registry.build("loaders", suffix, {"ocr": engine} if "ocr" in taken else {})
    return loader


def _one(file: Path, documents: Path, loader: Loader) -> Extracted:
    name = str(file.relative_to(documents))
    start = time.perf_counter()
    pages: tuple[Page, ...] = ()
    refused = crash = ""
    try:
        pages = tuple(loader.load(file.read_bytes(), filename=file.name))
    except DocumentError as exc:
        refused = str(exc).partition(" was refused: ")[2] or str(exc)
    except Exception as exc:  # noqa: BLE001 - a crash is what is counted
        crash = type(exc).__name__
    seconds = time.perf_counter() - start
    return Extracted(name=name, pages=pages, refused=refused, crash=crash, seconds=seconds)


def silent(file: Extracted, documents: Path) -> str:
    """What a file lost without a word: its text or a page; empty if nothing."""
    if file.refused or file.crash:
        return ""
    if not file.text.strip():
        return "no text"
    if not file.name.endswith(".pdf"):
        return ""
    blank = _blank(documents / file.name)
    if len(blank) != len(file.pages) and blank:
        return f"{len(file.pages)} of {len(blank)} pages"
    for page, is_blank in zip(file.pages, blank, strict=False):
        if not (page.text.strip() or page.warning or is_blank):
            return f"page {page.number}"
    return ""


def _blank(file: Path) -> list[bool]:
    """Which pages show nothing when they are drawn; nothing where pdfium cannot open the file."""
    try:
        document = pypdfium2.PdfDocument(file)
    except pypdfium2.PdfiumError:
        return []
    return [_is_blank(document, at) for at in range(len(document))]


def _is_blank(document: pypdfium2.PdfDocument, at: int) -> bool:
    try:
        page = document[at]
        if page.get_textpage().count_chars():
            return False
        return min(bytes(page.render(scale=0.3, grayscale=True).buffer)) > 250
    except pypdfium2.PdfiumError:
        return False


@contextmanager
def peak() -> Iterator[Callable[[], float]]:
    """Most memory (RSS, MB) of this process and its children together while the block runs."""
    most, ended = [0], threading.Event()

    def watch() -> None:
        while not ended.wait(LOOK):
            own = psutil.Process()
            everyone = (own, *own.children(recursive=True))
            most[0] = max(most[0], sum(_memory(one) for one in everyone))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield lambda: round(most[0] / _MIB, 1)
    finally:
        ended.set()
        watcher.join()


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it has ended
        return 0
