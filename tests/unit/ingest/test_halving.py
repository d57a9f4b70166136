"""An over-long chunk in two: nothing lost, and every page right."""

from __future__ import annotations

import pytest

from docrag.api import Article, Chunk
from docrag.ingest.halving import SHORTEST, halves

FIRST, SECOND, THIRD = "Işıklar söndürülür. " * 2, "İşveren öder. " * 3, "Ğ harfi şöyle. " * 4


def chunk_of(text: str, *breaks: int, first: int | None = 4, last: int | None = 6) -> Chunk:
    """A chunk from page 4 on."""
    return Chunk(
        ordinal=3, text=text, page_first=first, page_last=last, page_breaks=breaks,
        section="BİRİNCİ BÖLÜM", label="Madde 8", article=Article(kind="madde", number="8"),
    )  # fmt: skip


WHOLE = chunk_of((FIRST + SECOND + THIRD).strip(), len(FIRST), len(FIRST) + len(SECOND))


def test_halves_are_the_whole() -> None:
    assert " ".join(part.text for part in halves(WHOLE)) == WHOLE.text


def test_each_half_knows_its_pages() -> None:
    for part in halves(WHOLE):
        start = WHOLE.text.index(part.text)
        pages = [part.page_at(place) for place in range(len(part.text))]
        assert pages == [WHOLE.page_at(start + place) for place in range(len(part.text))]
        assert (part.page_first, part.page_last) == (pages[0], pages[-1])


def test_halves_keep_their_name() -> None:
    for part in halves(WHOLE):
        assert (part.ordinal, part.section, part.label) == (3, "BİRİNCİ BÖLÜM", "Madde 8")
        assert part.article == WHOLE.article


def test_blank_page_between_is_counted() -> None:
    text = "a " * 20 + "b " * 20
    parts = halves(chunk_of(text.strip(), 40, 40))
    assert [(part.page_first, part.page_last) for part in parts] == [(4, 4), (6, 6)]


def test_unknown_breaks_keep_the_range() -> None:
    parts = halves(chunk_of("söz " * 20))
    assert [(part.page_first, part.page_last, part.page_breaks) for part in parts] == [
        (4, 6, ())
    ] * 2


def test_text_without_pages_has_none() -> None:
    parts = halves(chunk_of("söz " * 20, first=None, last=None))
    assert [(part.page_first, part.page_last) for part in parts] == [(None, None)] * 2


def test_endless_word_is_cut_in_the_middle() -> None:
    assert [len(part.text) for part in halves(chunk_of("ş" * 100))] == [50, 50]


@pytest.mark.parametrize("text", ["kısa", "ş" * (SHORTEST - 1)])
def test_short_text_is_not_cut(text: str) -> None:
    assert halves(chunk_of(text)) == []
