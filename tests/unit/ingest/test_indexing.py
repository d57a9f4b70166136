"""Terms and letter grams of a document: those of each text, counted once a word."""

from __future__ import annotations

import pytest

from docrag.api import Chunk, analysed, c4
from docrag.ingest.indexing import grams_of, terms_of, texts_of

TEXTS = (
    "İşveren, IŞIK ölçümünü yılda iki kez yapar; ışık yılda iki kez ölçülür.",
    "I\u0307s\u0327c\u0327i ıslak zeminde çalışmaz. Çalışan, çalışma, ÇALIŞTIRILAN; 6331/4-b",
    "Mesai’nin sonunda ²³ ﬁyat ﷺ ß Σίσυφος naïve — ",
    "",
)


@pytest.mark.parametrize("language", ["tr", "en", "xx"])
def test_terms_are_those_of_each_text(language: str) -> None:
    assert terms_of(TEXTS, language) == [analysed(text, language) for text in TEXTS]


def test_equal_terms_are_one_string() -> None:
    (found,) = terms_of(["çalışan çalışma çalıştı"], "tr")
    assert found == ["calis"] * 3
    assert {id(term) for term in found} == {id(found[0])}


def test_grams_are_counted_by_text_and_in_all() -> None:
    counts = grams_of([*TEXTS, TEXTS[0]])
    each = [c4(text) for text in [*TEXTS, TEXTS[0]]]
    assert counts.length == sum(map(len, each))
    assert dict(counts.frequencies) == {
        gram: sum(gram in grams for grams in each) for grams in each for gram in grams
    }


def test_nothing_has_no_terms_and_grams() -> None:
    assert terms_of([], "tr") == []
    assert grams_of([]).length == 0


def test_text_of_a_chunk_has_title_and_headings() -> None:
    chunk = Chunk(ordinal=0, text="Metin.", page_first=1, page_last=1, section="Bölüm 1")
    assert texts_of([chunk], "İSG_Yönetmeliği") == ["İSG Yönetmeliği Bölüm 1\nMetin."]
