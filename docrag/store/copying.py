"""Rows as COPY takes them, many at a time: a call for each row costs more than the row."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from docrag.api import Vectors

#: Start and end of binary COPY data (PostgreSQL manual, "COPY", section "Binary Format").
_START: Final = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_END: Final = struct.pack(">h", -1)
#: Rows made at once: of the longest vectors, that is 8 MB.
STEP: Final = 1000
#: Columns in the order of :func:`vector_rows` and of :func:`posting_rows`.
VECTOR_COLUMNS: Final = "space_id, chunk_id, document_id, e"
POSTING_COLUMNS: Final = "term_id, chunk_id, document_id, tf, dl"


def vector_rows(
    space_id: int, chunk_ids: Sequence[int], document: int, vectors: Vectors
) -> Iterator[bytes]:
    """Rows of ``embeddings`` for a binary COPY, in pieces from its start to its end.

    The numbers are rounded to half precision as pgvector does it, to the nearest, ties to even
    (IEEE 754); its ``halfvec`` begins with its dimension and two bytes of zero.

    :param chunk_ids: one for each row of ``vectors``.
    :param vectors: float32 ``(n, dim)``, all numbers within the range of half precision.
    """
    yield _START
    for start in range(0, len(vectors), STEP):
        part = slice(start, start + STEP)
        yield _vector_rows(space_id, chunk_ids[part], document, vectors[part])
    yield _END


def posting_rows(rows: Iterable[tuple[int, int, int, int, int]]) -> str:
    """Rows of ``postings`` for a COPY of text, in the order of :data:`POSTING_COLUMNS`."""
    return "".join(f"{term}\t{chunk}\t{doc}\t{tf}\t{dl}\n" for term, chunk, doc, tf, dl in rows)


def _vector_rows(space_id: int, chunk_ids: Sequence[int], document: int, vectors: Vectors) -> bytes:
    count, dim = vectors.shape
    fields = [
        ("fields", ">i2"),
        ("space_size", ">i4"), ("space", ">i4"),
        ("chunk_size", ">i4"), ("chunk", ">i8"),
        ("document_size", ">i4"), ("document", ">i8"),
        ("size", ">i4"), ("dim", ">i2"), ("unused", ">i2"), ("e", ">f2", (dim,)),
    ]  # fmt: skip
    rows = np.zeros(count, dtype=fields)
    rows["fields"], rows["space_size"], rows["chunk_size"], rows["document_size"] = 4, 4, 8, 8
    rows["space"], rows["chunk"], rows["document"] = space_id, chunk_ids, document
    rows["size"], rows["dim"], rows["e"] = 4 + 2 * dim, dim, vectors
    return rows.tobytes()
