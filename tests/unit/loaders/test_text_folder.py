"""Cases from the field, and every shared file that is no PDF: loaded, or refused with a reason."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from docrag.api import DocumentError, Loader, Page
from docrag.ingest.detect import check
from docrag.loaders.txt import TextLoader
from docrag.registry import Registry

ROOT = Path(__file__).parents[3]
TEXT = ROOT / os.environ.get("DATA", "../shared/data") / "docs" / "text"
FILES = sorted(TEXT.glob("*")) if TEXT.is_dir() else []
REFUSED = {"binary_renamed.txt", "empty.txt", "whitespace_only.txt"}
REFERENCE = "talimat_utf8_lf.txt"


def load(path: Path) -> list[Page]:
    """Pages of a file as the pipeline reads it."""
    data = path.read_bytes()
    suffix = check(data, filename=path.name, known=Registry().names("loaders"))
    loader: Loader = Registry().build("loaders", suffix, {})
    return list(loader.load(data, filename=path.name))


@pytest.mark.skipif(not FILES, reason="SHARED DATA ABSENT: docs/text (set DATA)")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_text_file_is_loaded_or_refused_with_reason(path: Path) -> None:
    start = time.monotonic()
    if path.name in REFUSED:
        with pytest.raises(DocumentError, match=rf"'{path.name}' (is empty|was refused: .+)"):
            load(path)
    else:
        assert any(page.text.strip() for page in load(path))
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    "name", ["cp1254_crlf", "cr_only", "iso8859_9", "mojibake_double", "utf16le_bom"]
    + ["utf8_bom_crlf", "utf8_lf"],
)  # fmt: skip
def test_b09_file_reads_as_its_reference(fixtures: Path, name: str) -> None:
    expected = (fixtures / REFERENCE).read_text("utf-8")
    (page,) = load(fixtures / f"talimat_{name}.txt")
    assert page.text == expected


@pytest.mark.parametrize(
    "write",
    [
        lambda text: text.encode("cp857"),
        lambda text: unicodedata.normalize("NFD", text).encode(),
        lambda text: unicodedata.normalize("NFD", text).encode("utf-16-be"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.replace("\n", "\r\n").encode("iso8859-9"),
        lambda text: text.encode("utf-32"),
    ],
    ids=["cp857", "nfd", "nfd-utf16be", "utf16le", "iso9-crlf", "utf32"],
)
def test_b09_written_form_reads_as_its_reference(
    fixtures: Path, write: Callable[[str], bytes]
) -> None:
    expected = (fixtures / REFERENCE).read_text("utf-8")
    (page,) = TextLoader().load(write(expected), filename="a.txt")
    assert page.text == expected


@pytest.mark.parametrize(
    ("name", "reason"),
    [("binary_renamed.txt", "not a text file but binary data"), ("empty.txt", "is empty")],
)
def test_b09_file_without_text_is_refused(fixtures: Path, name: str, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        load(fixtures / name)
