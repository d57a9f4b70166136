"""Rows of tables with the names of their columns."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.tabular import Row, rows

LEAVE = "Kıdem:\n| Kıdem | İzin |\n|---|---|\n| 1-5 yıl | 14 gün |\n| 15 yıl | |\nSon."
SET = (
    "Forklift   Yakıt      Kapasite\nF-01       Elektrik   2.000 kg\nF-02       LPG        3.500 kg"
)


def bodies(text: str) -> list[str]:
    """What the rows of a text say, without heads."""
    return [row.text for row in rows(text) if not row.is_head]


def test_row_is_read_with_the_names_of_its_columns() -> None:
    assert bodies(LEAVE) == ["Kıdem: 1-5 yıl; İzin: 14 gün", "Kıdem: 15 yıl"]


def test_head_and_rule_are_no_rows() -> None:
    assert [row.is_head for row in rows(LEAVE)] == [True, True, False, False]


def test_row_stands_where_it_stands() -> None:
    third: Row = rows(LEAVE)[2]
    assert LEAVE[third.start : third.end] == "| 1-5 yıl | 14 gün |"


def test_row_without_its_head_has_bare_cells() -> None:
    assert bodies("| 1-5 yıl | 14 gün |\n| 5-15 yıl | 20 gün |") == [
        "1-5 yıl; 14 gün",
        "5-15 yıl; 20 gün",
    ]


def test_columns_set_with_blanks_are_a_table() -> None:
    assert bodies(SET)[1] == "Forklift: F-02; Yakıt: LPG; Kapasite: 3.500 kg"


def test_head_with_figures_is_a_row() -> None:
    assert bodies("F-01   Dizel   2 t\nF-02   LPG   3 t") == ["F-01; Dizel; 2 t", "F-02; LPG; 3 t"]


@pytest.mark.parametrize("text", ["", "Düz metin.", "Doküman No: 7    Revizyon: 2    Tarih: 2026"])
def test_text_without_a_table_has_no_rows(text: str) -> None:
    assert rows(text) == []


def test_pipe_of_a_cell_is_kept() -> None:
    assert bodies("| Ad | Kod |\n|---|---|\n| Vana | A\\|B |") == ["Ad: Vana; Kod: A|B"]
