from __future__ import annotations

from docrag.loaders.running import without_running_lines

BODY = "Çalışanlar iş sağlığı ve güvenliği eğitimine katılır ve donanımını kullanır."


def pages(count: int, body: str = BODY) -> list[str]:
    return [
        f"TL-01 Revizyon 3\n{body} {'iş' * n}.\nSayfa {n} / {count}\n" for n in range(1, count + 1)
    ]


def test_running_lines_go_from_second_page_on() -> None:
    first, *others = without_running_lines(pages(4))
    assert first == pages(4)[0]
    assert [text.strip() for text in others] == [f"{BODY} {'iş' * n}." for n in (2, 3, 4)]


def test_running_lines_stay_in_short_document() -> None:
    assert without_running_lines(pages(2)) == pages(2)


def test_running_lines_stay_where_they_are_all() -> None:
    assert without_running_lines(pages(5, body="Ek")) == pages(5, body="Ek")


def test_repeated_line_in_the_middle_stays() -> None:
    texts = [f"a{'x' * n}\nb{'y' * n}\nc{'z' * n}\nDikkat!\nd\nşu{'w' * n}" for n in range(1, 5)]
    assert all("Dikkat!" in text for text in without_running_lines(texts))


def test_running_lines_of_nothing_are_nothing() -> None:
    assert without_running_lines([]) == []
