"""Articles and laws are read as such, and are no amounts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.verification.references import Reference, of_source, references
from docrag.api import Article
from tests.unit.answer.sources import source


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10. maddeye göre", ("madde", "10")),
        ("madde 25/A uyarınca", ("madde", "25/a")),
        ("geçici 4 üncü madde", ("gecici", "4")),
        ("onuncu madde", ("madde", "10")),
        ("6331 sayılı Kanun", ("law", "6331")),
    ],
)
def test_reference_is_read(text: str, told: tuple[str, str]) -> None:
    assert Reference(*told) in references(text)


@pytest.mark.parametrize("text", ["10 gün içinde", "Başvuru yapılır.", ""])
def test_other_text_has_no_reference(text: str) -> None:
    assert references(text) == frozenset()


def test_source_is_the_article_of_its_chunks() -> None:
    citation = source(1, "İşveren eğitim verir.")
    article = Article(kind="madde", number="17")
    chunk = replace(citation.chunks[0], article=article)
    assert Reference("madde", "17") in of_source(replace(citation, chunks=(chunk,)))


def test_title_names_its_law() -> None:
    assert Reference("law", "6331") in of_source(replace(source(1, "x"), title="kanun_6331"))
