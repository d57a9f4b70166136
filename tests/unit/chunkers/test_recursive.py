from __future__ import annotations

from docrag.api import Page
from docrag.chunkers.recursive import RecursiveChunker


def texts(text: str, *, size: int, overlap: int) -> list[str]:
    pages = [Page(number=1, text=text)]
    return [chunk.text for chunk in RecursiveChunker(size=size, overlap=overlap).split(pages)]


def test_recursive_names_itself() -> None:
    assert RecursiveChunker().fingerprint == "recursive/1000/150/v1"


def test_recursive_packs_whole_sentences() -> None:
    text = "Birinci cümle burada. İkinci cümle burada. Üçüncü cümle burada."
    assert texts(text, size=50, overlap=0) == [
        "Birinci cümle burada. İkinci cümle burada.",
        "Üçüncü cümle burada.",
    ]


def test_recursive_repeats_whole_sentences() -> None:
    text = "Birinci cümle burada. İkinci cümle burada. Üçüncü cümle burada."
    assert texts(text, size=50, overlap=25) == [
        "Birinci cümle burada. İkinci cümle burada.",
        "İkinci cümle burada. Üçüncü cümle burada.",
    ]


def test_recursive_cuts_long_sentence_at_blank() -> None:
    text = " ".join(["kelime"] * 20) + "."
    pieces = texts(text, size=50, overlap=0)
    assert " ".join(pieces) == text
    assert max(map(len, pieces)) <= 50


def test_recursive_keeps_article_number_with_its_text() -> None:
    text = "MADDE 10 – (1) Hekim m. 8 uyarınca atanır.\nMADDE 11 – (1) Tahliye planı asılır."
    assert texts(text, size=50, overlap=0) == [
        "MADDE 10 – (1) Hekim m. 8 uyarınca atanır.",
        "MADDE 11 – (1) Tahliye planı asılır.",
    ]
