"""Numbers are read in figures, words, fractions and Roman numerals, with their units."""

from __future__ import annotations

import pytest

from docrag.answer.verification.numbers import numbers
from docrag.answer.verification.tokens import composed, tokens


def _read(text: str) -> list[tuple[float, str]]:
    text = composed(text)
    return [(number.value, number.unit) for number in numbers(text, tokens(text)) if number.is_sure]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("otuz gün içinde", 30, "day"),
        ("30 iş günü", 30, "workday"),
        ("14 takvim günü", 14, "calendar day"),
        ("otuz (30) gün", 30, "day"),
        ("yüzde 15", 15, "percent"),
        ("%15", 15, "percent"),
        ("yüzde on beş", 15, "percent"),
        ("1.500,50 TL", 1500.5, "lira"),
        ("1,500.50 dollars", 1500.5, "dollar"),
        ("yirmibeş yaşında", 25, "age"),
        ("onaltı haftalık", 16, "week"),
        ("yedibuçuk saati", 7.5, "hour"),
        ("yedi buçuk saati", 7.5, "hour"),
        ("7,5 saat", 7.5, "hour"),
        ("iki buçuk milyon kişi", 2_500_000, "person"),
        ("15 bin ton", 15_000, "t"),
        ("dörtte birini", 0.25, ""),
        ("1/4", 0.25, ""),
        ("XIX. yüzyıl", 19, "century"),
        ("bin dokuz yüz yirmi üç", 1923, ""),
        ("30'u", 30, ""),
        ("altı ay", 6, "month"),
        ("bir yıl", 1, "year"),
        ("KIRK GÜN", 40, "day"),
    ],
)
def test_number_is_read(text: str, value: float, unit: str) -> None:
    assert (value, unit) in _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "masanın altında",
        "onun ve onlar",
        "yüzüne baktı",
        "bin ağacı",
        "ön sıra",
        "uç nokta",
        "bir işçi",
    ],
)
def test_other_word_is_no_sure_number(text: str) -> None:
    assert _read(text) == []


def test_decomposed_letters_make_the_same_number() -> None:
    assert _read("u\u0308c\u0327 gu\u0308n") == [(3, "day")]


def test_number_with_one_stop_has_two_readings() -> None:
    found = numbers("1.006 bin", tokens("1.006 bin"))[0]
    assert {found.value, found.also} == {1_006_000, 1_006}


def test_list_gives_no_unit_to_its_first_number() -> None:
    assert _read("240 ve beş yıllık") == [(240, ""), (5, "year")]
