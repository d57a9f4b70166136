"""Numbers in words and in figures, each way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.numerals import ordinal, other_forms


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("üç iş günü", "3"),
        ("UC IS GUNU", "3"),
        ("yirmi beş kişi", "25"),
        ("yirmibeş kişi", "yirmi beş"),
        ("yüz elli çalışan", "150"),
        ("bin dokuz yüz yirmi üç", "1923"),
        ("iki yüz bin lira", "200.000"),
        ("üçüncü fıkra", "3"),
        ("dördüncü madde", "4"),
        ("on beşinci madde", "onbeşinci"),
        ("elliden fazla çalışan", "50"),
        ("altı ay", "6"),
        ("on iş günü", "10"),
        ("u\u0308c\u0327 kis\u0327i", "3"),
    ],
)
def test_words_are_given_in_figures(question: str, form: str) -> None:
    assert form in list(other_forms(question))


@pytest.mark.parametrize(
    ("question", "forms"),
    [
        ("3 iş günü", ["üç"]),
        ("25 kişi", ["yirmi beş", "yirmibeş"]),
        ("150 çalışan", ["yüz elli", "yüzelli"]),
        ("50'den fazla", ["elli"]),
        ("50’den fazla", ["elli"]),
        ("50den fazla", ["50", "elli"]),
        ("%50", ["elli"]),
        ("10.000 lira", ["10000", "10.000", "on bin", "onbin"]),
        ("3. fıkra", ["üçüncü"]),
        ("3'üncü fıkra", ["üçüncü"]),
        ("15.madde", ["on beşinci", "onbeşinci"]),
        ("Kaçıncı madde? 15.", ["on beş", "onbeş"]),
        ("1. madde", ["birinci"]),
    ],
)
def test_figures_are_given_in_words(question: str, forms: list[str]) -> None:
    assert list(other_forms(question)) == forms


@pytest.mark.parametrize(
    "question",
    [
        "bir gün",
        "1 gün",
        "masanın altında",
        "masanın altı",
        "yemeğini yedi",
        "bu yüzden",
        "yüzünden",
        "onun önünde",
        "bıçağın ucu",
        "uç nokta",
        "Ali bin İsa",
        "birbirine",
        "6331 sayılı Kanun",
        "1979 yılında",
        "12.05.2020",
        "3,5 metre",
        "2021-2022",
        "TS 4A",
        "0",
        "",
    ],
)
def test_what_is_no_number_alone_has_no_other_form(question: str) -> None:
    assert list(other_forms(question)) == []


def test_two_numbers_in_a_row_stay_two() -> None:
    assert [form for form in other_forms("iki üç gün") if form.isdigit()] == ["2", "3"]


@given(st.integers(2, 999_999).filter(lambda n: not 1001 <= n <= 2100))
def test_words_of_a_figure_read_back_the_figure(value: int) -> None:
    for spelled in other_forms(f"{value} kişi"):
        if spelled[0].isalpha():
            assert str(value) in list(other_forms(f"{spelled} kişi"))


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert all(other_forms(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("onuncu", 10), ("Yirmi Beşinci", 25), ("yirmibeşinci", 25), ("ALTINCI", 6),
        ("dordüncü", 4), ("yüz on ikinci", 112), ("birinci", 1), ("on altıncı", 16),
        ("on", None), ("ilk", None), ("", None), ("mavi beşinci", None), ("ön beşinci", None),
        ("beş altıncı", None),
    ],
)  # fmt: skip
def test_ordinal_is_read(text: str, value: int | None) -> None:
    assert ordinal(text) == value
