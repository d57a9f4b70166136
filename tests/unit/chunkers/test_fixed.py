from __future__ import annotations

from docrag.api import Page
from docrag.chunkers.fixed import FixedChunker


def texts(text: str, *, size: int, overlap: int) -> list[str]:
    pages = [Page(number=1, text=text)]
    return [chunk.text for chunk in FixedChunker(size=size, overlap=overlap).split(pages)]


def test_fixed_names_itself() -> None:
    assert FixedChunker().fingerprint == "fixed/1000/150/v1"


def test_fixed_cuts_at_blank() -> None:
    text = " ".join(f"kelime{n}" for n in range(30))
    pieces = texts(text, size=60, overlap=0)
    assert " ".join(pieces) == text
    assert all(40 < len(piece) <= 60 for piece in pieces[:-1])


def test_fixed_repeats_whole_words() -> None:
    text = " ".join(f"kelime{n:02}" for n in range(30))
    first, second, *_ = texts(text, size=60, overlap=20)
    assert first.split()[-2:] == second.split()[:2]


def test_fixed_cuts_word_that_is_too_long() -> None:
    assert [len(piece) for piece in texts("ş" * 130, size=50, overlap=0)] == [50, 50, 30]


def test_fixed_keeps_line_ends() -> None:
    assert texts("1. Amaç\nBu talimat\n", size=50, overlap=0) == ["1. Amaç\nBu talimat"]


def test_fixed_never_crosses_page() -> None:
    pages = [
        Page(number=3, text="Üçüncü sayfa"),
        Page(number=4, text="Dördüncü sayfa", section="B"),
    ]
    chunks = list(FixedChunker().split(pages))
    assert [(c.ordinal, c.page_first, c.page_last, c.section) for c in chunks] == [
        (0, 3, 3, ""),
        (1, 4, 4, "B"),
    ]
