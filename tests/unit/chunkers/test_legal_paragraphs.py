"""Paragraphs, items and footnotes of one article."""

from __future__ import annotations

import pytest

from docrag.api import Page
from docrag.chunkers.flow import flows
from docrag.chunkers.legal_headings import heading_of
from docrag.chunkers.legal_items import LETTERS, items_of
from docrag.chunkers.legal_lines import lines_of
from docrag.chunkers.legal_paragraphs import Node, paragraphs_of
from docrag.chunkers.legal_plain import Body
from docrag.chunkers.legal_width import Measure


def nodes(text: str, *, quoted: frozenset[int] = frozenset()) -> list[Node]:
    """Nodes of an article whose heading is the first line."""
    lines = lines_of(flows([Page(number=1, text=text)]))
    heading = heading_of(lines[0].text)
    assert heading is not None
    body = Body(
        lines=lines,
        first=0,
        last=len(lines),
        at=0,
        rest=heading.rest,
        quoted=quoted,
        measure=Measure(lines),
    )
    return paragraphs_of(body)


def numbers(text: str) -> list[int | None]:
    return [node.paragraph for node in nodes(text) if not node.is_note]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MADDE 1 – (1) Bir.\n(2) İki.\n (3) Üç.", [1, 2, 3]),
        ("MADDE 1 – (1) Bir.\n(3) numaralı bent.\n(2) İki.", [1, 2]),
        ("MADDE 1 – (1) Bir.\n(2) İki.\n(2) İki.\n(1) Bir.", [1, 2]),
        ("MADDE 1 – (1) Bir fıkranın\n(2) numaralı bendi.\n(2) İki.", [1, 2]),
        ("MADDE 1 – (1) Saat başına\n(200) Gösterge ödenir.\n(2) İki.", [1, 2]),
        ("MADDE 1 – (1) Bir. (1)\n(2)“İki” ibaresi.\n(3) 4/1/2002 tarihli", [1, 2, 3]),
        ("MADDE 1 – (Ek: 4/4/2015-6645/7 md.)\n(1) Bir.\n(2) İki.", [1, 2]),
        ("MADDE 1 – (Ek: 4/4/2015-6645/7 md.) (1) Bir.\n(2) İki.", [1, 2]),
        ("MADDE 1- Amaçlar:\n(1) Bir,\n(2) İki.", [None, 1, 2]),
        ("Madde 1:\n(1) Bir.\n(2) İki.", [1, 2]),
        ("MADDE 1 – Tek fıkra.", [None]),
        ("MADDE 1 — 0 Bir.\n(2) İki.", [1, 2]),
        ("MADDE 1 — () Bir.\n( 2 ) İki.\n(3} Üç.", [1, 2, 3]),
        ("MADDE 1 – (1) Bir.\n(3) Üç.\n(4) Dört.", [1, 3, 4]),
        ("MADDE 1 – (1) Bir.\n(9) Dokuz.", [1]),
        ("Madde 1:\n(2) İki.", [2]),
        ("Madde 1 – Bir.\n(2) İki.", [1, 2]),
        ("MADDE 1 – (1) Bir.\n(2) (Mülga: 1/1/2010-5944/1 md.)\n(3) Üç.", [1, 2, 3]),
    ],
)
def test_paragraphs_are_numbered_in_order(text: str, found: list[int | None]) -> None:
    assert numbers(text) == found


LONG = "Kırk beş saatten çok çalışan işçiye yüzde elli fazlası ödenir ve bu süre"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"Madde 1 - {LONG}\naşılamaz.\nİşveren {LONG}\nuzatır.\nHükümler saklıdır.", [1, 2, 3]),
        (
            f"Madde 1 - {LONG}\naşılamaz.\n(Mülga ikinci fıkra: 1/1/2010)\n{LONG}\nbiter.",
            [1, None, 2],
        ),
        (
            f"Madde 1 - {LONG}\naşılamaz.\n(Değişik yedinci fıkra: 1/1/2010) {LONG}\nbiter.",
            [None, 7],
        ),
        (
            f"Madde 1 - (Değişik: 6/5/2016-6715/1 md.)\nİlk {LONG}\nbiter.\nSon {LONG}\nbiter.",
            [1, 2],
        ),
        (f"Madde 1 - {LONG}\naşılamaz. İşveren {LONG}\nbiter.", [None]),
        (f"Madde 1 - Şunlar:\na) {LONG}\nbiter.\nb) Bent.\nSon {LONG}\nbiter.", [1, 2]),
    ],
)
def test_plain_paragraphs_are_counted(text: str, found: list[int | None]) -> None:
    assert numbers(text) == found


def test_paragraphs_leave_quoted_lines_alone() -> None:
    text = "MADDE 1 – (1) Şöyle değişmiştir.\n“(1) Yeni.\n(2) Yeni.”\n(2) Asıl."
    found = nodes(text, quoted=frozenset({1, 2}))
    assert [(node.paragraph, node.first) for node in found] == [(1, 0), (2, 3)]


def test_footnotes_stand_between_paragraphs() -> None:
    text = "MADDE 1 – (1) Bir.\n______\n(2) Bir dipnot."
    assert [(node.paragraph, node.is_note) for node in nodes(text)] == [(1, False), (None, True)]


def test_nodes_hold_every_line_once() -> None:
    text = "MADDE 1 – (1) Şunlar:\na) Bir;\n1) iki,\n2) üç,\nb) Dört.\n(2) Beş.\n______\n(1) Not."

    def leaves(node: Node) -> list[Node]:
        return [leaf for child in node.children for leaf in leaves(child)] or [node]

    found = [leaf for node in nodes(text) for leaf in leaves(node)]
    assert [(leaf.first, leaf.names) for leaf in found] == [
        (0, ()),
        (1, ("a",)),
        (2, ("a", "1")),
        (3, ("a", "2")),
        (4, ("b",)),
        (5, ()),
        (6, ()),
    ]
    assert [leaf.last for leaf in found] == [leaf.first for leaf in found[1:]] + [8]


def items(*texts: str) -> list[str]:
    """Items as ``b`` or ``b.2``-like paths of their depth and name."""
    lines = lines_of(flows([Page(number=1, text="\n".join(texts))]))
    return [f"{'-' * item.depth}{item.name}" for item in items_of(lines, range(len(lines)))]


def test_items_follow_turkish_letters() -> None:
    assert items(*(f"{letter}) Metin" for letter in LETTERS)) == list(LETTERS)


def test_items_go_on_behind_z() -> None:
    texts = [f"{letter}) Metin" for letter in LETTERS]
    assert items(*texts, "aa) Metin", "bb) Metin", "cc) Metin", "çç) M")[-4:] == [
        "aa",
        "bb",
        "cc",
        "çç",
    ]


def test_items_take_typed_one_for_l() -> None:
    texts = [f"{letter}) Metin" for letter in LETTERS[: LETTERS.index("l")]]
    assert items(*texts, "1) (Değişik: 4/4/2015-6645/4 md.) Metin", "m) Metin")[-2:] == ["l", "m"]


def test_items_take_one_behind_k_for_list_if_two_follows() -> None:
    texts = [f"{letter}) Metin" for letter in LETTERS[: LETTERS.index("l")]]
    assert items(*texts, "1) bir", "2) iki", "l) Metin")[-3:] == ["-1", "-2", "l"]


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (("a) Bir:", "1) x", "2) y", "b) İki:", "1) z"), ["a", "-1", "-2", "b", "-1"]),
        (("I. Sağlık:", "a) x", "b) y", "II. Ahlak:", "a) z"), ["I", "-a", "-b", "II", "-a"]),
        (("I- Sağlık:", "II- Ahlak:"), ["I", "II"]),
        (("a. Bir", "b. İki", "c. Üç", "d. Dört"), ["a", "b", "c", "d"]),
        (("c) Üç", "d) Dört"), []),
        (("a) Bir", "z) Son"), ["a"]),
        (("1. Bir", "2. İki"), ["1", "2"]),
        (("1. maddede geçen",), []),
        (("(a) Bir", "(b) İki"), ["a", "b"]),
        ((), []),
    ],
)
def test_items_nest_by_order(texts: tuple[str, ...], found: list[str]) -> None:
    assert items(*texts) == found


def test_measure_knows_line_that_was_ended_on_purpose() -> None:
    lines = lines_of(flows([Page(number=1, text="\n".join([f"{LONG} {LONG}"] * 20))]))
    measure = Measure(lines)
    assert measure.fits("Kısa satır.", "İşveren öder")
    assert not measure.fits(f"{LONG} {LONG}", "İşveren öder")


def test_measure_sees_indent_of_paragraphs() -> None:
    width = "nnnn " * 16
    text = "\n".join(f"İ{'nnnn ' * 14}\n{width}\n{width}\nson." for _ in range(12))
    indent = Measure(lines_of(flows([Page(number=1, text=text)]))).indent
    assert 0.05 < indent < 0.2
