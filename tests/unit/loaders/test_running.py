from __future__ import annotations

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


def test_running_lines_of_nothing_are_nothing() -> None:
    assert without_running_lines([]) == []
