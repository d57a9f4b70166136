"""Long text files: read in a child process, the same pages, and no longer than allowed."""

from __future__ import annotations

import time

import pytest

from docrag.api import LoaderError
from docrag.loaders import md, txt
from docrag.loaders.bounded import SHORT
from docrag.loaders.md import MarkdownLoader
from docrag.loaders.txt import TextLoader

LONG = "# Işık\n\nGirişte ışık yanar.\n\n## İzin\n\n" + "Yıllık izin verilir.\n" * 4000


def test_long_markdown_has_the_same_sections() -> None:
    data = LONG.encode()
    assert len(data) > SHORT
    assert MarkdownLoader().load(data, filename="a.md") == md.read(data, filename="a.md")


def test_long_text_has_the_same_page() -> None:
    data = LONG.encode("cp1254")
    assert TextLoader().load(data, filename="a.txt") == txt.read(data, filename="a.txt")


def test_long_file_is_refused_by_name() -> None:
    with pytest.raises(LoaderError, match=r"'a\.txt' was refused: the file .*blanks|is empty"):
        TextLoader().load(b" " * (SHORT + 1), filename="a.txt")


def test_slow_markdown_is_ended() -> None:
    start = time.monotonic()
    with pytest.raises(LoaderError, match="not read within 1 seconds"):
        MarkdownLoader(timeout=1).load(b"- madde\n" * 200_000, filename="a.md")
    assert time.monotonic() - start < 5


def test_huge_text_is_held_to_its_memory() -> None:
    with pytest.raises(LoaderError, match="more than 300 MiB of memory"):
        TextLoader(memory_limit=300).load("ışık ".encode() * 8_000_000, filename="a.txt")
