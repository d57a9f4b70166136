from __future__ import annotations

import pytest

from docrag.api import Page
from docrag.chunkers.flow import Flow, flows


def pages(*texts: str, first: int | None = 1, section: str = "") -> list[Page]:
    numbers = [None if first is None else first + n for n in range(len(texts))]
    return [Page(number=n, text=t, section=section) for n, t in zip(numbers, texts, strict=True)]


def one(*texts: str, first: int = 1) -> Flow:
    (flow,) = flows(pages(*texts, first=first))
    return flow


def test_flows_give_nothing_for_nothing() -> None:
    assert flows([]) == []


def test_flow_joins_pages_by_line_ends() -> None:
    flow = one("İlk sayfa", "ikinci", first=7)
    assert (flow.text, flow.first, flow.starts) == ("İlk sayfa\nikinci", 7, (0, 10))


@pytest.mark.parametrize("word", ["İlk", "sayfa", "ikinci", "son"])
def test_flow_knows_page_of_word(word: str) -> None:
    texts = ["İlk sayfa", "ikinci", "", "son"]
    flow = one(*texts, first=4)
    number = flow.page_at(flow.text.index(word))
    assert number is not None
    assert word in texts[number - 4]


def test_flow_gives_line_end_to_page_before() -> None:
    assert [one("a", "b").page_at(place) for place in range(3)] == [1, 1, 2]


def test_flow_chunk_knows_breaks() -> None:
    flow = one("bir iki", "üç", "", "dört beş", first=3)
    chunk = flow.chunk(4, flow.text.index(" beş"), ordinal=2, label="Madde 1")
    assert (chunk.text, chunk.page_first, chunk.page_last) == ("iki\nüç\n\ndört", 3, 6)
    assert chunk.page_breaks == (4, 7, 8)
    assert [chunk.page_at(chunk.text.index(word)) for word in ("iki", "üç", "dört")] == [3, 4, 6]
    assert (chunk.ordinal, chunk.label, chunk.section) == (2, "Madde 1", "")


def test_flow_chunk_on_last_page_has_no_breaks() -> None:
    flow = one("bir", "iki", first=8)
    chunk = flow.chunk(4, 7, ordinal=0, section="B")
    assert (chunk.text, chunk.page_first, chunk.page_last) == ("iki", 9, 9)
    assert (chunk.page_breaks, chunk.section) == ((), "B")


def test_flows_never_join_unnumbered_pages() -> None:
    found = flows(pages("bir", "iki", first=None, section="S"))
    assert [(flow.text, flow.first, flow.section) for flow in found] == [
        ("bir", None, "S"),
        ("iki", None, "S"),
    ]
    chunk = found[1].chunk(0, 3, ordinal=1)
    assert (chunk.page_first, chunk.page_last, chunk.page_breaks) == (None, None, ())


@pytest.mark.parametrize(
    ("number", "section"), [(2, "B"), (3, "A"), (None, "A")], ids=["section", "gap", "unnumbered"]
)
def test_flows_end_where_pages_do_not_go_on(number: int | None, section: str) -> None:
    first = Page(number=1, text="bir", section="A")
    assert len(flows([first, Page(number=number, text="iki", section=section)])) == 2


def test_flow_counts_parts_of_a_page_once() -> None:
    parts = [Page(number=n, text=text) for n, text in [(1, "a"), (1, "b"), (2, "c")]]
    (flow,) = flows(parts)
    assert (flow.text, flow.starts) == ("a\nb\nc", (0, 4))


@pytest.mark.parametrize(
    ("span", "expected"), [((0, 9), (2, 7)), ((2, 7), (2, 7)), ((0, 2), (0, 0)), ((7, 9), (7, 7))]
)
def test_flow_trims_blanks(span: tuple[int, int], expected: tuple[int, int]) -> None:
    flow = one(" \nbir ş\n ")
    assert flow.trimmed(*span) == expected
