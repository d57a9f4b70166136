from __future__ import annotations

import pytest

from docrag.judges.parts import clean, parts

TEXT = "İş kazası bildirilir. Süre üç iş günüdür. Bildirim kuruma yapılır. Gecikene ceza verilir."


def test_clean_composes_turkish_letters() -> None:
    assert clean(" I\u0307s\u0327c\u0327i\0 ") == "İşçi"


@pytest.mark.parametrize("limit", [len(TEXT), len(TEXT) + 1])
def test_text_that_fits_is_one_part(limit: int) -> None:
    assert parts(TEXT, limit) == [TEXT]


def test_no_text_has_no_parts() -> None:
    assert parts("", 10) == []


def test_parts_are_whole_sentences_that_overlap() -> None:
    assert parts(TEXT, 50) == [
        "İş kazası bildirilir. Süre üç iş günüdür.",
        "Süre üç iş günüdür. Bildirim kuruma yapılır.",
        "Bildirim kuruma yapılır. Gecikene ceza verilir.",
    ]


def test_overlap_is_left_out_where_it_has_no_room() -> None:
    assert parts(TEXT, 25) == [
        "İş kazası bildirilir.",
        "Süre üç iş günüdür.",
        "Bildirim kuruma yapılır.",
        "Gecikene ceza verilir.",
    ]


@pytest.mark.parametrize("limit", [1, 7, 20, 33, 60])
def test_parts_are_no_longer_than_allowed(limit: int) -> None:
    assert all(0 < len(part) <= limit for part in parts(TEXT + " " + "ğ" * 90, limit) if part)


@pytest.mark.parametrize("limit", [7, 33, 60])
def test_parts_hold_every_sign(limit: int) -> None:
    long = TEXT + " " + "ğ" * 90
    assert set("".join(long.split())) == set("".join("".join(parts(long, limit)).split()))
    assert sum(part.count("ğ") for part in parts(long, limit)) >= 90
