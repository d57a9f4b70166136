from __future__ import annotations

from collections.abc import Sequence

import pytest

from docrag.loaders.running import without_running_lines

BODY = "Çalışanlar iş sağlığı ve güvenliği eğitimine katılır ve donanımını kullanır."


def pages(count: int, head: str = "TL-01 Revizyon 3", foot: str = "Sayfa {n} / 9") -> list[str]:
    return [
        f"{head.format(n=n)}\n{BODY} {'iş' * n}.\n{foot.format(n=n)}\n" for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_running_lines_go_from_second_page_on(count: int) -> None:
    first, *others = without_running_lines(pages(count))
    assert first.strip() == f"TL-01 Revizyon 3\n{BODY} iş."
    assert [text.strip() for text in others] == [f"{BODY} {'iş' * n}." for n in range(2, count + 1)]


@pytest.mark.parametrize(
    "foot", ["{n}", "- {n} -", "1165{n}-1", "{n} / 4", "Sayfa {n}", "page {n}"]
)
def test_page_numbers_go_from_every_page(foot: str) -> None:
    texts = without_running_lines(pages(4, foot=foot))
    assert [text.strip()[-3:] for text in texts] == ["iş."] * 4


def test_number_that_is_counted_in_a_head_does_not_hide_it() -> None:
    texts = without_running_lines(pages(5, head="Yönerge 2024/7, sayfa {n}"))
    assert ["Yönerge" in text for text in texts] == [True, False, False, False, False]


def test_rows_of_a_table_stay() -> None:
    texts = [
        f"Sıra Puan Not\n{n * 7 % 5} {90 - n}\n{BODY} {'x' * n}\nKalem {n * n} adet\n"
        for n in range(1, 9)
    ]
    assert all(
        f"{n * 7 % 5} {90 - n}" in text for n, text in enumerate(without_running_lines(texts), 1)
    )
    assert all(f"Kalem {n * n}" in text for n, text in enumerate(without_running_lines(texts), 1))


def test_running_lines_stay_in_single_page() -> None:
    assert without_running_lines(["Başlık\n" + BODY]) == ["Başlık\n" + BODY]
    assert without_running_lines(["Başlık\n" + BODY + "\nSayfa 1 / 1"]) == ["Başlık\n" + BODY]


def test_running_lines_stay_where_they_are_all() -> None:
    texts = ["TL-01 Revizyon 3\nEk\n"] * 5
    assert without_running_lines(texts) == texts


def test_repeated_line_in_the_middle_stays() -> None:
    texts = [f"a{'x' * n}\nb{'y' * n}\nc{'z' * n}\nDikkat!\nd\nşu{'w' * n}" for n in range(1, 5)]
    assert all("Dikkat!" in text for text in without_running_lines(texts))


def test_numbers_that_count_with_leaves_between_go() -> None:
    texts = edged(["11651", "11652", "11652-1", "11653"], ["ab", "cd", "ef", "gh"])
    assert not [text for text in without_running_lines(texts) if "1165" in text]


def edged(tops: Sequence[str], feet: Sequence[str]) -> list[str]:
    return [
        "\n".join([top, *(f"{BODY} {'iş' * n}{'su' * at}" for at in range(4)), foot])
        for n, (top, foot) in enumerate(zip(tops, feet, strict=True), 1)
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["MADDE 1", "MADDE 2", "MADDE 3", "MADDE 4"],
        ["1. ADIM", "2. ADIM", "3. ADIM", "4. ADIM"],
        ["Makine 1", "Makine 2", "Makine 3", "Makine 4"],
        ["48", "120", "300", "15"],
        ["≥ 19", "≥ 20", "≥ 21", "≥ 22"],
        ["%1", "%2", "%3", "%4"],
        ["10-20", "20-30", "5-9", "1-2"],
        ["Son muayene: geçti"] * 4,
        ["Risk yüksek", "Risk yüksek", "Risk yüksek", "Risk az"],
    ],
)
def test_what_a_page_says_at_its_edge_stays(lines: list[str]) -> None:
    for texts in (edged(lines, ["ab", "cd", "ef", "gh"]), edged(["ab", "cd", "ef", "gh"], lines)):
        assert without_running_lines(texts) == texts


def test_line_below_one_that_differs_stays() -> None:
    heads = [f"{name} tezgâhı\nTam yüz maskesi takılır" for name in ("Pres", "Torna", "Freze")]
    texts = edged(heads, ["ab", "cd", "ef"])
    assert without_running_lines(texts) == texts


def test_head_of_a_document_with_its_values_goes() -> None:
    texts = edged(["Doküman No: TL-01 Rev. Tarihi: 1.2.2020"] * 4, ["1", "2", "3", "4"])
    assert ["TL-01" in text for text in without_running_lines(texts)] == [True] + [False] * 3


def test_running_lines_of_nothing_are_nothing() -> None:
    assert without_running_lines([]) == []
