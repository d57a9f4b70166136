"""Rows and clauses that a question means."""

from __future__ import annotations

from docrag.answer.quoting.fitting import fits
from docrag.answer.quoting.pieces import pieces
from docrag.answer.quoting.ranges import Amounts
from docrag.answer.subject import content_words
from tests.unit.answer.sources import source

TRUCKS = "| Forklift | Yakıt |\n|---|---|\n| F-01 | Elektrik |\n| F-02 | Elektrik |\n| F-03 | LPG |"
YEARS = "| Kıdem | İzin |\n|---|---|\n| 1-5 yıl | 14 gün |\n| 6-14 yıl | 20 gün |"


def meant(question: str, table: str) -> list[bool | None]:
    """Which rows are meant."""
    found = [piece for piece in pieces(source(1, table)) if piece.kind == "row"]
    told = fits(Amounts.of(question), content_words(question), found)
    return [fit.is_meant for fit in told]


def test_row_that_is_named_is_meant() -> None:
    assert meant("F-02 forkliftin yakıtı nedir?", TRUCKS) == [False, True, False]


def test_rows_that_share_the_name_are_meant() -> None:
    assert meant("Elektrik yakıtlı forkliftler hangileri?", TRUCKS) == [True, True, False]


def test_amount_decides() -> None:
    assert meant("8 yıl çalışanın izni?", YEARS) == [False, True]


def test_question_without_either_means_no_row() -> None:
    assert meant("İzin ne kadar?", YEARS) == [None, None]
