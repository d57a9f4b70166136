"""Rows that are copied in arrive as those that are inserted."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import text

from docrag.api import Vectors
from docrag.store import copying
from docrag.store.copying import VECTOR_COLUMNS, posting_rows, vector_rows

from .conftest import Library

#: Numbers between two of half precision, halfway between them, and too small for its usual form.
ROWS: Vectors = np.array(
    [
        [1.0, -0.1, 0.33333334, 65504.0],
        [1.00048828125, 1.00146484375, -1.00048828125, 6.1e-5],
        [5.9604645e-08, 2.9802322e-08, 3.0e-08, -6.097555e-05],
    ],
    dtype=np.float32,
)


@pytest.mark.parametrize("step", [2, 1000])
def test_vectors_are_rounded_as_the_database_does(
    library: Library, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "STEP", step)
    table = "CREATE TEMP TABLE v (space_id int, chunk_id bigint, document_id bigint, e halfvec)"
    with library.engine.connect() as connection:
        connection.execute(text(table))
        cursor = connection.connection.driver_connection.cursor()  # type: ignore[union-attr]  # open
        with cursor.copy(f"COPY v ({VECTOR_COLUMNS}) FROM STDIN (FORMAT binary)") as writer:
            for part in vector_rows(7, [1, 2, 2**40], 2**33, ROWS):
                writer.write(part)
        query = text("SELECT space_id, chunk_id, document_id, e::text FROM v ORDER BY chunk_id")
        found = connection.execute(query).all()
        cast = text("SELECT CAST(CAST(:e AS halfvec) AS text)")
        expected = [connection.scalar(cast, {"e": str(row.tolist())}) for row in ROWS]
    assert [row[:3] for row in found] == [(7, 1, 2**33), (7, 2, 2**33), (7, 2**40, 2**33)]
    assert [row[3] for row in found] == expected


def test_no_vectors_are_an_empty_copy() -> None:
    none = np.zeros((0, 4), dtype=np.float32)
    start, end = vector_rows(1, [], 1, none)
    assert start.startswith(b"PGCOPY") and end == b"\xff\xff"


def test_postings_are_rows_of_text() -> None:
    assert posting_rows([(1, 22, 3, 4, 5), (6, 7, 8, 9, 10)]) == "1\t22\t3\t4\t5\n6\t7\t8\t9\t10\n"
    assert posting_rows([]) == ""
