"""Numbering and packing of sources."""

from __future__ import annotations

from dataclasses import replace

from docrag.answer.context import number
from tests.unit.answer.sources import chunk


def test_numbers_follow_the_best_chunk_of_a_page() -> None:
    found = number([chunk(5, "a", page=7), chunk(2, "b", page=3), chunk(4, "c", page=7)])
    assert [(c.number, c.page_first) for c in found] == [(1, 7), (2, 3)]
    assert found[0].text == "c\na"


def test_same_page_of_two_documents_has_two_numbers() -> None:
    found = number([chunk(1, "a"), chunk(2, "b", document="d2")])
    assert [(c.number, c.document_id) for c in found] == [(1, "d1"), (2, "d2")]


def test_sections_take_the_place_of_pages() -> None:
    found = number([chunk(1, "a", page=None, section="1. Amaç"), chunk(2, "b", page=None)])
    assert [c.label for c in found] == ["talimat.pdf (1. Amaç)", "talimat.pdf"]


def test_no_chunks_give_no_numbers() -> None:
    assert number([]) == ()


def test_passage_of_two_pages_is_two_sources() -> None:
    text = "İlk sayfada biter. Burada\nsürer. İkinci sayfadadır."
    found = chunk(1, text, page=3)
    breaks = (text.index("sürer"),)
    crossing = replace(found, chunk=replace(found.chunk, page_last=4, page_breaks=breaks))
    first, second = number([crossing])
    assert (first.page_first, first.page_last, second.page_first) == (3, 3, 4)
    assert first.text == "İlk sayfada biter. Burada\nsürer."
    assert second.text == "İkinci sayfadadır."
