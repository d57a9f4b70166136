"""Loading numpy columns into PostgreSQL by binary COPY, a hundred times faster than rows of text.

Format: PostgreSQL manual, COPY, "Binary Format"; that of ``halfvec`` is pgvector's own ``recv``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import psycopg

#: Signature, flags and length of the header extension.
HEADER: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER: Final = b"\xff\xff"
#: Rows turned into bytes at a time.
STEP: Final = 20_000

_CONSTRAINTS: Final = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype IN ('p', 'f') ORDER BY contype DESC
"""
_INDEXES: Final = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index i
    WHERE indrelid = %s::regclass
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid
            AND c.conrelid = i.indrelid)
"""

Columns = Mapping[str, npt.NDArray[Any]]


def copy_columns(connection: psycopg.Connection[Any], table: str, columns: Columns) -> None:
    """Insert rows whose columns are arrays of equal length.

    :param columns: by name: integers of the very width of the table's column (``int16`` for
        ``smallint``), or float16 ``(n, dim)`` for ``halfvec``.
    """
    rows = len(next(iter(columns.values())))
    names = ", ".join(columns)
    copy = f"COPY {table} ({names}) FROM STDIN WITH (FORMAT binary)"
    with connection.cursor() as cursor, cursor.copy(copy.encode()) as writer:
        writer.write(HEADER)
        for start in range(0, rows, STEP):
            part = {name: column[start : start + STEP] for name, column in columns.items()}
            writer.write(_packed(part))
        writer.write(TRAILER)


def copy_rows(
    connection: psycopg.Connection[Any],
    table: str,
    names: Sequence[str],
    rows: Iterable[Sequence[object]],
) -> None:
    """Insert rows of Python values by COPY."""
    copy = f"COPY {table} ({', '.join(names)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(copy.encode()) as writer:
        for row in rows:
            writer.write_row(row)


@contextmanager
def without_indexes(connection: psycopg.Connection[Any], table: str) -> Iterator[None]:
    """Load a table whose keys and indexes are away meanwhile: faster, and they are made in bulk."""
    constraints = connection.execute(_CONSTRAINTS, (table,)).fetchall()
    indexes = connection.execute(_INDEXES, (table,)).fetchall()
    for name, _definition in constraints:
        connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}".encode())
    for name, _definition in indexes:
        connection.execute(f"DROP INDEX {name}".encode())
    yield
    for _name, definition in indexes:
        connection.execute(definition.encode())
    for name, definition in constraints:
        connection.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}".encode())


def _packed(columns: Columns) -> bytes:
    """The rows in COPY's format, without header."""
    fields: list[tuple[Any, ...]] = [("fields", ">i2")]
    for name, column in columns.items():
        fields.append((f"{name}_bytes", ">i4"))
        if column.ndim == 2:
            fields += [(f"{name}_dim", ">i2"), (f"{name}_unused", ">i2")]
            fields.append((name, ">f2", column.shape[1]))
        else:
            fields.append((name, column.dtype.newbyteorder(">")))
    rows = np.zeros(len(next(iter(columns.values()))), dtype=np.dtype(fields))
    rows["fields"] = len(columns)
    for name, column in columns.items():
        rows[name] = column
        width = column.dtype.itemsize
        if column.ndim == 2:
            rows[f"{name}_dim"] = column.shape[1]
            width = 4 + 2 * column.shape[1]
        rows[f"{name}_bytes"] = width
    return rows.tobytes()
