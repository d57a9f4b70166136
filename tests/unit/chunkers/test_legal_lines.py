"""Footnotes, printed page numbers and quotations, line by line."""

from __future__ import annotations

import pytest

from docrag.api import Page
from docrag.chunkers.flow import flows
from docrag.chunkers.legal_lines import BLANK, BODY, NOTE, RUNNING, lines_of
from docrag.chunkers.legal_quotes import MAX_LINES, Quotes


def roles(text: str, *, number: int | None = 1) -> list[str]:
    return [line.role for line in lines_of(flows([Page(number=number, text=text)]))]


@pytest.mark.parametrize("rule", ["––––––", "______", "------", "—————————", " " * 49])
def test_rule_opens_footnotes_to_page_end(rule: str) -> None:
    found = roles(f"Metin.\n{rule}\n1 Bu madde değişti.\n(2) Dipnot sürer.")
    assert found[0] == BODY
    assert found[2:] == [NOTE, NOTE]


def test_footnotes_end_with_their_page() -> None:
    pages = [Page(number=1, text="Metin.\n______\n(1) Not."), Page(number=2, text="(2) Fıkra.")]
    assert [line.role for line in lines_of(flows(pages))] == [BODY, NOTE, NOTE, BODY]


def test_numbered_footnotes_need_no_rule() -> None:
    pages = [
        Page(
            number=1, text="Metin.\n \n1 2/7/2018 tarihli ve 700 sayılı KHK’nin\n145 inci maddesi"
        ),
        Page(number=2, text="Metin.\n\n2 Bu madde başlığı değişti.\n3 Bu madde de."),
        Page(number=3, text="Metin.\n\n5 Bu madde\n\n4 Bu madde\nMADDE 8 – (1) Metin."),
    ]
    found = [line.role for line in lines_of(flows(pages))]
    assert found == [
        BODY,
        BLANK,
        NOTE,
        NOTE,
        BODY,
        BLANK,
        NOTE,
        NOTE,
        *[BODY, BLANK] * 2,
        BODY,
        BODY,
    ]


@pytest.mark.parametrize("text", ["Metin.\n_____\n(1) Not.", "İmza\n______\nGenel Müdür\nTarih"])
def test_other_lines_open_no_footnotes(text: str) -> None:
    assert NOTE not in roles(text)


@pytest.mark.parametrize("after", ["\nDevam.", "c) Uygulama.", "MADDE 2 – (1) Metin."])
def test_footnotes_without_pages_end_where_text_goes_on(after: str) -> None:
    found = roles(f"Metin.\n______\n(1) Not\nsürer.\n{after}", number=None)
    assert found[1:4] == [NOTE, NOTE, NOTE]
    assert found[-1] == BODY


@pytest.mark.parametrize(
    ("printed", "page"),
    [("11652-1", 1), ("- 3 -", 3), ("Sayfa 3 / 9", 7), ("1 / 27", 1)],
)
def test_printed_page_number_is_no_text(printed: str, page: int) -> None:
    assert roles(f"{printed}\n\nMetin.", number=page) == [RUNNING, BLANK, BODY]


def test_number_that_rises_with_pages_is_no_text() -> None:
    pages = [Page(number=n, text=f"Metin.\n{n + 40}") for n in (1, 2, 3)]
    assert [line.role for line in lines_of(flows(pages))] == [BODY, RUNNING] * 3


def test_number_of_inserted_page_is_no_text() -> None:
    printed = ("11652", "11652-1", "11653")
    pages = [Page(number=n, text=f"{text}\nMetin.") for n, text in enumerate(printed, start=1)]
    assert [line.role for line in lines_of(flows(pages))] == [RUNNING, BODY] * 3


@pytest.mark.parametrize(
    "texts",
    [
        ("Sınır değer (dB):\n85", "90\nMetin."),
        ("Gaz\n3", "H2S\n5\nO2\n19", "Metin.\n7"),
        ("Metin.\n20\nSon.", "Metin.\n21\nSon."),
        ("Kişi sayısı:\n30",),
    ],
    ids=["edges", "values", "inner", "alone"],
)
def test_values_at_page_edges_are_text(texts: tuple[str, ...]) -> None:
    pages = [Page(number=n, text=text) for n, text in enumerate(texts, start=30)]
    assert RUNNING not in {line.role for line in lines_of(flows(pages))}


def test_number_inside_of_page_is_text() -> None:
    assert roles("a\nb\nc\n12\nd\ne\nf")[3] == BODY
    assert roles("12\nMetin.", number=None) == [BODY, BODY]


def test_lines_tell_places_without_blanks() -> None:
    flow = flows([Page(number=1, text="  İlk \n\n\n\tson")])
    lines = lines_of(flow)
    assert [line.role for line in lines] == [BODY, BLANK, BODY]
    assert [flow[0].text[line.start : line.end] for line in lines] == ["İlk", "", "son"]


def inside(*texts: str) -> list[bool]:
    quotes = Quotes()
    return [quotes.feed(text) for text in texts]


AMENDS = "MADDE 1 – 5 inci maddesi aşağıdaki şekilde değiştirilmiştir."


def test_quotes_hold_wording_of_other_law() -> None:
    assert inside(AMENDS, "“MADDE 5 – Yeni", "“iç” alıntı", "son.”", "MADDE 2 – Sonra") == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_quotes_end_in_their_own_line() -> None:
    assert inside(AMENDS, "“Yeni hüküm.”", "MADDE 2 – Sonra") == [False, True, False]


def test_quotes_may_open_at_the_end_of_the_amending_line() -> None:
    assert inside(f"{AMENDS} “Başlık", "MADDE 5 – Yeni.”", "MADDE 2 – Sonra") == [
        False,
        True,
        False,
    ]
    assert inside(f"{AMENDS} “Başlık”", "MADDE 2 – Sonra") == [False, False]


def test_quotes_need_an_amendment_before() -> None:
    assert inside("Metin biter.", "“Başlık", "MADDE 10 – (1) A") == [False, False, False]


def test_quotes_never_closed_come_to_an_end() -> None:
    assert inside(AMENDS, "“Yeni", *["satır"] * MAX_LINES, "MADDE 2")[-1] is False
