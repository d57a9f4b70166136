"""Real laws and regulations: every article counted, Law 6331 whole and on its pages."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from docrag.api import Article, Chunk, Page
from docrag.chunkers import legal_pieces
from docrag.chunkers.legal import LegalChunker, finds_law
from eval import legal

ROOT = Path(__file__).parents[3]
DOCS = ROOT / os.environ.get("DATA", "../shared/data") / "docs" / "tr"
EXPECTED = json.loads(legal.EXPECTED.read_text(encoding="utf-8"))
#: Read in a test of their own, or need OCR.
APART = {legal.LAW, "kanun_4857.pdf", "cukurova_lisansustu.pdf", "firat_131.pdf"}
SMALL = sorted(name for name, want in EXPECTED.items() if name not in APART and "ocr" not in want)


def shared(name: str) -> Path:
    if not (DOCS / name).exists():
        pytest.skip(f"SHARED DATA ABSENT: {name} (set DATA)")
    return DOCS / name


@pytest.fixture(scope="module")
def pages() -> Sequence[Page]:
    return legal.load(shared(legal.LAW))


@pytest.fixture(scope="module")
def chunks(pages: Sequence[Page]) -> Sequence[Chunk]:
    return list(LegalChunker(size=legal.SIZE).split(pages))


@pytest.mark.parametrize("name", SMALL)
def test_regulation_has_every_article(name: str) -> None:
    assert legal.counted(shared(name)) == legal.listed(EXPECTED[name])


def test_labour_law_has_every_article_and_status() -> None:
    found = list(LegalChunker(size=legal.SIZE).split(legal.load(shared("kanun_4857.pdf"))))
    articles = [chunk.article for chunk in found if chunk.article]
    repealed = {(article.kind, article.number) for article in articles if article.status == "mulga"}
    numbers = dict.fromkeys((article.kind, article.number) for article in articles)
    wanted = legal.listed(EXPECTED["kanun_4857.pdf"])
    assert {kind: [n for k, n in numbers if k == kind] for kind in wanted} == wanted
    assert repealed == {("madde", str(number)) for number in (33, 65, *range(77, 90), 95, 105)} | {
        ("gecici", "2")
    }


def test_law_6331_has_every_article(chunks: Sequence[Chunk]) -> None:
    numbers = dict.fromkeys(
        (chunk.article.kind, chunk.article.number) for chunk in chunks if chunk.article
    )
    wanted = legal.listed(EXPECTED[legal.LAW])
    assert {kind: [n for k, n in numbers if k == kind] for kind in wanted} == wanted


def test_law_6331_is_never_mixed_or_cut(pages: Sequence[Page], chunks: Sequence[Chunk]) -> None:
    assert legal.faulty_articles(pages, list(legal.places(pages, chunks))) == set()


def test_law_6331_names_true_pages(pages: Sequence[Page], chunks: Sequence[Chunk]) -> None:
    assert legal.wrong_pages(pages, chunks) == 0


@pytest.mark.parametrize(
    ("label", "section", "page", "text"),
    [
        (
            "Madde 8, fıkra 5",
            "İKİNCİ BÖLÜM > Madde 8 (İşyeri hekimleri ve iş güvenliği uzmanları), fıkra 5",
            6,
            "(5) İş güvenliği uzmanlarının görev alabilmeleri için;",
        ),
        ("Madde 33", "BEŞİNCİ BÖLÜM > Madde 33", 20, "MADDE 33 – 13/12/1983"),
        ("Geçici madde 9", "BEŞİNCİ BÖLÜM > Geçici madde 9", 23, "GEÇİCİ MADDE 9 – (Ek:"),
        ("Madde 39", "BEŞİNCİ BÖLÜM > Madde 39 (Yürütme)", 23, "Yürütme"),
    ],
)
def test_law_6331_names_its_parts(
    chunks: Sequence[Chunk], label: str, section: str, page: int, text: str
) -> None:
    (chunk,) = [chunk for chunk in chunks if chunk.label == label]
    assert (chunk.section, chunk.page_first) == (section, page)
    assert chunk.text.startswith(text)


def test_law_6331_reads_typed_one_as_l(chunks: Sequence[Chunk]) -> None:
    assert "Madde 3, fıkra 1, bent h–l" in {chunk.label for chunk in chunks}


def test_law_6331_finds_item_in_item(pages: Sequence[Page]) -> None:
    small = LegalChunker(size=legal.SIZE // 2).split(pages)
    (chunk,) = [c for c in small if c.label == "Madde 30, fıkra 1, bent b, alt bent 3"]
    assert chunk.article == Article(kind="madde", number="30", paragraph_first=1, paragraph_last=1)


def test_law_6331_keeps_item_with_items_whole(chunks: Sequence[Chunk]) -> None:
    (chunk,) = [c for c in chunks if c.label.startswith("Madde 30, fıkra 1, bent b")]
    assert (chunk.label, chunk.page_first, chunk.page_last) == ("Madde 30, fıkra 1, bent b", 18, 19)
    assert chunk.article == Article(kind="madde", number="30", paragraph_first=1, paragraph_last=1)


def test_law_6331_counts_item_cut_between_its_items(
    pages: Sequence[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legal_pieces, "WITH_ITEMS", 1.7)
    cut = list(LegalChunker(size=legal.SIZE).split(pages))
    assert legal.faulty_articles(pages, list(legal.places(pages, cut))) == {30}


@pytest.mark.parametrize("label", ["Madde 8, fıkra 2", "Geçici madde 8, fıkra 1"])
def test_law_6331_keeps_long_paragraphs_whole(chunks: Sequence[Chunk], label: str) -> None:
    (chunk,) = [c for c in chunks if c.label == label]
    assert len(chunk.text) > legal.SIZE


@pytest.mark.parametrize("name", ["firat_006.pdf"])
def test_table_is_no_law(name: str) -> None:
    assert not finds_law(legal.load(shared(name)))
