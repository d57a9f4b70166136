from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from docrag.api import Access
from docrag.cli.output import counted, print_json, print_rows


def test_json_keeps_turkish_letters(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"başlık": "Iğdır şubesi İK", "zaman": datetime(2026, 1, 2, tzinfo=UTC)})
    shown = capsys.readouterr().out
    assert "Iğdır şubesi İK" in shown
    assert json.loads(shown)["zaman"] == "2026-01-02T00:00:00+00:00"


def test_json_opens_records(capsys: pytest.CaptureFixture[str]) -> None:
    print_json([Access.of(["ik", "isg"])])
    assert json.loads(capsys.readouterr().out) == [{"roles": ["ik", "isg"], "on": None}]


def test_rows_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([{"a": "x", "b": ("ik", "isg")}, {"a": "uzun", "b": None}], as_json=False)
    assert capsys.readouterr().out == "a     b\nx     ik, isg\nuzun  -\n"


def test_no_rows_are_told_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([], as_json=False, empty="nothing")
    assert capsys.readouterr() == ("", "nothing\n")


def test_no_rows_are_an_empty_list(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([], as_json=True, empty="nothing")
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(
    ("number", "one", "told"),
    [
        (0, "question", "0 questions"),
        (1, "question", "1 question"),
        (2, "question", "2 questions"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
    ],
)
def test_what_is_counted_has_its_number(number: int, one: str, told: str) -> None:
    assert counted(number, one) == told
