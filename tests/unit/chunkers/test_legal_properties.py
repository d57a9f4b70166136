"""What holds for every text: nothing is lost, order is kept, pages are true, time is linear."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docrag.api import Page
from docrag.chunkers.legal import LegalChunker, finds_law
from docrag.chunkers.legal_pieces import LEAST, WITH_ITEMS

_LINES = st.sampled_from(
    [
        "MADDE {n} – (1) İşveren öder.",
        "Madde {n} -Aşağıda belirtilen;",
        "GEÇİCİ MADDE {n} – (1) Iğdır’da uygulanır.",
        "EK MADDE {n} – (Ek: 4/4/2015-6645/3 md.)",
        "MADDE {n}/A – (Mülga: 20/6/2012-6331/37 md.)",
        "“MADDE {n} – (1) Yeni.”",
        "5 inci maddesi aşağıdaki şekilde değiştirilmiştir.",
        "({n}) İkinci fıkra.",
        "a) Çığ altında kalan,",
        "b) İzin verilen;",
        "{n}) alt bent,",
        "Başlık {n}",
        "İKİNCİ BÖLÜM",
        "______",
        "({n}) Dipnot.",
        "",
        "   ",
        "12",
        "EK-{n}",
        "TABLO {n}",
        "MADDE {n} – (Değişik: RG-1/2/2020-31026) (1) Yeni.",
        "MADDE {n}A – (1) Bitişik.",
        "Madde {n}",
        "{n}. Madde: Ters",
        "“Kapanmamış alıntı, aşağıdaki",
        "YANGIN YÖNERGESİ",
        "9999 SAYILI KANUNA EK VE DEĞİŞİKLİK GETİREN",
        "Bu Kanun hükümlerini Bakanlar Kurulu yürütür.",
        "ğ" * 90,
    ]
)
_TEXTS = st.lists(
    st.lists(st.tuples(_LINES, st.integers(1, 12)), max_size=14).map(
        lambda lines: "\n".join(text.format(n=n) for text, n in lines)
    ),
    min_size=1,
    max_size=4,
)
_START = "MADDE 1 – (1) A.\nMADDE 2 – (1) B.\nMADDE 3 – (1) C.\n"


def pages_of(texts: Sequence[str], *, numbered: bool = True) -> list[Page]:
    first, *others = texts
    return [
        Page(number=number if numbered else None, text=text)
        for number, text in enumerate([_START + first, *others], start=1)
    ]


@settings(max_examples=60, deadline=None)
@given(texts=_TEXTS, size=st.sampled_from([50, 90, 1200]), numbered=st.booleans())
def test_legal_loses_nothing_but_page_numbers(texts: list[str], size: int, numbered: bool) -> None:
    pages = pages_of(texts, numbered=numbered)
    whole = "\n".join(page.text for page in pages)
    place, lost = 0, ""
    for chunk in LegalChunker(size=size).split(pages):
        start = whole.index(chunk.text, place)  # in order, and as it stands
        lost += whole[place:start]
        place = start + len(chunk.text)
        assert 0 < len(chunk.text) <= (size if size < LEAST else size * WITH_ITEMS)
    assert not re.sub(r"\b12\b|\s", "", lost + whole[place:])


@settings(max_examples=40, deadline=None)
@given(texts=_TEXTS, size=st.sampled_from([60, 1200]))
def test_legal_names_true_page_of_every_place(texts: list[str], size: int) -> None:
    pages = pages_of(texts)
    whole = "\n".join(page.text for page in pages)
    starts = [sum(len(page.text) + 1 for page in pages[:n]) for n in range(len(pages))]
    place = 0
    for chunk in LegalChunker(size=size).split(pages):
        place = whole.index(chunk.text, place)
        for at, sign in enumerate(chunk.text):
            if not sign.isspace():
                assert chunk.page_at(at) == sum(start <= place + at for start in starts)
        place += len(chunk.text)


@settings(max_examples=40, deadline=None)
@given(texts=_TEXTS)
def test_legal_mixes_no_articles(texts: list[str]) -> None:
    chunks = list(LegalChunker().split(pages_of(texts)))
    named = [chunk for chunk in chunks if chunk.article]
    assert all(chunk.label and chunk.section for chunk in named)
    for before, chunk in pairwise(named):
        if before.article and chunk.article and before.label == chunk.label:
            assert (before.article.kind, before.article.number) == (
                chunk.article.kind,
                chunk.article.number,
            )


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Başlık\nMADDE {n} – (1) Öder.\n" for n in range(1, 4_000)),
        "kelime " * 70_000,
        "k" * 500_000,
        "(Ek: " * 100_000,
        "(" * 250_000,
        "\n" * 250_000,
        "\n------\n(1) x" * 10_000,
        "\na) bent" * 15_000,
        "\nBir cümle biter." * 10_000,
        "“aşağıdaki\n" * 15_000,
        "MADDE 1 – (1) A.\nMADDE 2 – (1) B.\nMADDE 3 – (1) C.\n" * 2_000,
        "EK-1\nListe\nyürütür.\nMADDE 1 – A.\n" * 3_000,
        "MADDE 3 – (Mülga: A)\n______\n(1) Not\nMADDE 4 – B.\n" * 2_000,
        "Madde 1\nBaşlık\nMadde 2\nBaşlık\nMadde 3\nBaşlık\n" * 2_000,
        "(Danıştay " * 40_000,
    ],
    ids=[
        "headings",
        "line",
        "word",
        "notes",
        "brackets",
        "blank",
        "rules",
        "items",
        "paragraphs",
        "quotes",
        "restarts",
        "annexes",
        "footnotes",
        "contents",
        "courts",
    ],
)
def test_legal_takes_linear_time(text: str) -> None:
    pages = [Page(number=1, text=_START + text)]
    start = time.process_time()
    assert finds_law(pages)
    assert any(True for _ in LegalChunker().split(pages))
    assert time.process_time() - start < 6  # under half a second on an idle machine
