from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from docrag.api import EmbedderError
from docrag.embedders.rows import FaultyRow, composed, unit_rows


def test_unit_rows_normalises_every_row() -> None:
    rows = unit_rows([[3.0, 4.0], [0.0, 0.5]], count=2, dim=2, model_id="m")
    assert rows.dtype == np.float32
    assert rows.tolist() == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]


@pytest.mark.parametrize(
    "row", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [None, 1.0], [1e200, 1e200]]
)
def test_unit_rows_refuses_faulty_row(row: list[float]) -> None:
    with pytest.raises(FaultyRow):
        unit_rows([[1.0, 0.0], row], count=2, dim=2, model_id="m")


@pytest.mark.parametrize(
    "rows", [[[1.0, 2.0]], [], None, 5, {}, "abc", [["a", "b"]], [[1.0], [1, 2]]]
)
def test_unit_rows_refuses_other_shapes(rows: object) -> None:
    with pytest.raises(EmbedderError):
        unit_rows(rows, count=2, dim=2, model_id="m")


def test_unit_rows_names_both_dimensions_when_they_differ() -> None:
    with pytest.raises(EmbedderError, match=r"have 3 numbers.*says 2.*dim=3"):
        unit_rows([[1.0, 2.0, 3.0]], count=1, dim=2, model_id="m")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (unicodedata.normalize("NFD", "çalışanın İğdesi"), "çalışanın İğdesi"),
        ("a\0b", "a b"),
        ("x\ud83d", "x?"),
        ("", ""),
    ],
)
def test_composed_cleans_text(text: str, expected: str) -> None:
    assert composed(text) == expected
