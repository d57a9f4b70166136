"""Recognised text is compared sign by sign and word by word."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from eval.ocr import distance, flat


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [
        ("", "", 0),
        ("", "ılık", 4),
        ("ılık", "ilik", 2),
        ("işveren", "işverenin", 2),
        ("kitap", "tapu", 3),
        (["iş", "güvenliği"], ["güvenliği"], 1),
    ],
)
def test_distance_counts_steps(first: Sequence[str], second: Sequence[str], steps: int) -> None:
    assert distance(first, second) == distance(second, first) == steps


def test_signs_that_look_alike_are_one() -> None:
    assert flat("MADDE 1 – (1)\n“İş’in”") == 'MADDE 1 - (1) "İş\'in"'
