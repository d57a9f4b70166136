"""A repealed article says so: to the model, in quoted answers, and where sources are named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.context import number
from docrag.answer.passages import fenced
from docrag.answer.quoting.extractive import quote
from docrag.api import Article, Citation, ScoredChunk
from tests.unit.answer.sources import chunk, source

GONE = Article(kind="madde", number="8", status="mulga")
HERE = Article(kind="gecici", number="25/i")
REPEALED = "İşyeri hekimleri her ay rapor verir."
VALID = "İşyeri hekimleri ölçüm yapar."


def of(*articles: tuple[Article | None, str], page: int | None = 6) -> Citation:
    """One source whose chunks are of these articles."""
    made = [
        ScoredChunk(
            chunk=replace(chunk(n, text, page=page, section="BÖLÜM").chunk, article=article),
            score=1.0,
        )
        for n, (article, text) in enumerate(articles, start=1)
    ]
    [citation] = number(made)
    return citation


def said(citation: Citation, language: str = "tr") -> str:
    deltas = quote(
        "İşyeri hekimleri rapor verir mi, ölçüm yapar mı?", [citation], language=language
    )
    return "".join(delta.text for delta in deltas)


@pytest.mark.parametrize(
    ("article", "name"),
    [
        (GONE, "Madde 8"),
        (HERE, "Geçici Madde 25/İ"),
        (Article(kind="ek", number="1"), "Ek Madde 1"),
        (Article(kind="mukerrer", number="20"), "Mükerrer Madde 20"),
    ],
)
def test_article_has_a_name(article: Article, name: str) -> None:
    assert article.name == name


@pytest.mark.parametrize(
    ("citation", "label"),
    [
        (of((GONE, REPEALED)), "talimat.pdf s. 6, Madde 8 (mülga)"),
        (of((HERE, VALID)), "talimat.pdf s. 6, Geçici Madde 25/İ"),
        (of((HERE, VALID), (HERE, REPEALED)), "talimat.pdf s. 6, Geçici Madde 25/İ"),
        (of((GONE, REPEALED), (HERE, VALID)), "talimat.pdf s. 6"),
        (of((GONE, REPEALED), (None, VALID)), "talimat.pdf s. 6"),
        (of((GONE, REPEALED), page=None), "talimat.pdf (BÖLÜM) (mülga)"),
        (of((HERE, VALID), page=None), "talimat.pdf (BÖLÜM)"),
        (
            replace(of((GONE, REPEALED), page=None), section="BÖLÜM > Madde 8 (mülga)"),
            "talimat.pdf (BÖLÜM > Madde 8 (mülga))",
        ),
        (of((replace(GONE, status="iptal"), REPEALED)), "talimat.pdf s. 6, Madde 8 (iptal)"),
        (source(1, VALID), "talimat.pdf s. 1"),
    ],
)
def test_source_is_labelled_by_its_article(citation: Citation, label: str) -> None:
    assert citation.label == label


@pytest.mark.parametrize(
    ("language", "attributes"),
    [
        ("tr", 'yer="s. 6, Madde 8" durum="yürürlükten kaldırılmış: Madde 8">'),
        ("en", 'place="p. 6, Madde 8" status="repealed: Madde 8">'),
    ],
)
def test_model_is_told(language: str, attributes: str) -> None:
    assert attributes in fenced(of((GONE, REPEALED)), REPEALED, language)


def test_model_is_told_which_article_of_a_page() -> None:
    shown = fenced(of((HERE, VALID), (GONE, REPEALED)), REPEALED, "tr")
    assert 'yer="s. 6" durum="yürürlükten kaldırılmış: Madde 8">' in shown
    assert "durum" not in fenced(of((HERE, VALID)), VALID, "tr")


@pytest.mark.parametrize(
    ("language", "note"), [("tr", "yürürlükten kaldırılmış"), ("en", "repealed")]
)
def test_quoted_answer_tells(language: str, note: str) -> None:
    text = said(of((GONE, REPEALED), (HERE, VALID)), language)
    assert f"{REPEALED} ({note}) [1]" in text
    assert f"{VALID} [1]" in text
