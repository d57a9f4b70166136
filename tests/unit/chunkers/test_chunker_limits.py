from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.api import Chunker, Page, SettingsError
from docrag.chunkers.auto import AutoChunker
from docrag.chunkers.fixed import FixedChunker
from docrag.chunkers.legal import LegalChunker
from docrag.chunkers.recursive import RecursiveChunker
from docrag.chunkers.semantic import SemanticChunker
from docrag.chunkers.structure import StructureChunker
from docrag.testing.vectors import CountingEmbedder

DATA = Path(os.environ.get("DATA", "../shared/data"))


def semantic(**limits: int) -> Chunker:
    return SemanticChunker(embedder=CountingEmbedder(dim=8), **limits)


PLAIN = [FixedChunker, RecursiveChunker, StructureChunker]
ALL = pytest.mark.parametrize("build", [*PLAIN, AutoChunker, LegalChunker, semantic])
LINE = pytest.mark.parametrize("build", [*PLAIN, AutoChunker, LegalChunker])


@ALL
@pytest.mark.parametrize(
    ("size", "overlap", "named"),
    [(200, 200, "overlap"), (200, 199, "overlap"), (200, 101, "overlap"), (200, -1, "overlap")]
    + [(49, 0, "size"), (0, 0, "size"), (-1, 0, "size")],
)
def test_limits_name_the_wrong_option(
    build: Callable[..., Chunker], size: int, overlap: int, named: str
) -> None:
    value = overlap if named == "overlap" else size
    with pytest.raises(SettingsError, match=rf"{named} must be .*not {value}$"):
        build(size=size, overlap=overlap)


@pytest.mark.parametrize("build", PLAIN)
def test_limits_allow_half(build: Callable[..., Chunker]) -> None:
    assert build(size=200, overlap=100).fingerprint.endswith("/200/100/v1")


@LINE
def test_chunker_takes_one_long_line(build: Callable[..., Chunker]) -> None:
    line = "şğıüöç İş sağlığı " * 110_000
    start = time.monotonic()
    lengths = [len(chunk.text) for chunk in build().split([Page(number=None, text=line)])]
    assert time.monotonic() - start < 10
    assert max(lengths) <= (1200 if build is LegalChunker else 1000)
    assert len(lengths) > 1600


@LINE
def test_chunker_takes_the_line_of_the_field_report(build: Callable[..., Chunker]) -> None:
    """Case B12: 2 MB in one line."""
    file = DATA / "docs" / "text" / "one_long_line_2MB.txt"
    if not file.is_file():
        pytest.skip(f"SHARED TEST DATA ABSENT: no {file.name!r}; set DATA")
    start = time.monotonic()
    pages = [Page(number=None, text=file.read_text("utf-8"))]
    lengths = [len(chunk.text) for chunk in build(size=1000, overlap=150).split(pages)]
    assert time.monotonic() - start < 10
    assert max(lengths) <= 1000
    assert sum(lengths) > 1_100_000


@ALL
@given(
    text=st.text(alphabet="aİş. \n\t1(–MADDE", max_size=700),
    size=st.integers(50, 120),
    share=st.floats(0, 0.5),
)
def test_chunker_ends_and_keeps_size(
    build: Callable[..., Chunker], text: str, size: int, share: float
) -> None:
    chunks = list(build(size=size, overlap=int(size * share)).split([Page(number=1, text=text)]))
    assert all(0 < len(chunk.text) <= size and chunk.text in text for chunk in chunks)
    assert set(text.split()) <= set(" ".join(chunk.text for chunk in chunks).split()) | {
        word for word in text.split() if len(word) > size // 2
    }
