from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.api import Chunker, Page, SettingsError
from docrag.chunkers.fixed import FixedChunker
from docrag.chunkers.recursive import RecursiveChunker

BOTH = pytest.mark.parametrize("build", [FixedChunker, RecursiveChunker])


@BOTH
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


@BOTH
def test_limits_allow_half(build: Callable[..., Chunker]) -> None:
    assert build(size=200, overlap=100).fingerprint.endswith("/200/100/v1")


@BOTH
def test_chunker_takes_one_long_line(build: Callable[..., Chunker]) -> None:
    line = "şğıüöç İş sağlığı " * 110_000
    start = time.monotonic()
    lengths = [len(chunk.text) for chunk in build().split([Page(number=None, text=line)])]
    assert time.monotonic() - start < 10
    assert max(lengths) <= 1000
    assert len(lengths) > 1900


@BOTH
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
