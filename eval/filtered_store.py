"""The synthetic set in a database of docrag, and docrag's answers from it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import psycopg
from sqlalchemy import Engine

from docrag.api import Access, Vectors
from docrag.store import Store
from docrag.store.partitions import partition_name
from docrag.store.records import Space
from eval.bulk_copy import copy_columns, copy_rows
from eval.filtered import CHUNKS, Cell, FilteredSet, K

#: Model that the vectors are said to be of.
MODEL: Final = "synthetic"
#: Columns that are filled; the others have defaults, and allowed roles come by trigger.
_DOCUMENTS: Final = (
    "id title filename suffix sha256 size state n_pages n_chunks n_tokens n_grams ready_at".split()
)
_CHUNKS: Final = ("id", "document_id", "ordinal", "text", "page_first", "page_last", "n_tokens")


def fill(engine: Engine, data: FilteredSet) -> Space:
    """Load the set into a migrated, empty database; chunk ``i`` has the text ``i``.

    By COPY through the tables' own triggers, so that roles arrive as they do in use. The index is
    made anew after the rows, which takes a third of the time.

    :returns: the space of the vectors, which is the active one.
    """
    space = Store(engine).spaces.ensure(
        model_id=MODEL, dim=data.vectors.shape[1], chunking=f"{CHUNKS} a document"
    )
    with plain_connection(engine) as connection:
        rows = [document_row(i + 1) for i in range(len(data.topics))]
        fill_documents(connection, data, rows)
        fill_chunks(connection, [str(i) for i in range(len(data.vectors))], tokens=1)
        fill_vectors(connection, space, data.vectors)
    vacuum(engine)
    return space


def searcher(store: Store, cell: Cell) -> Callable[[Vectors], list[int]]:
    """Docrag's own search for an asker, as production does it: below row-level security."""
    access = Access.of(cell.roles)

    def search(vector: Vectors) -> list[int]:
        found = store.chunks.candidates(terms=(), vector=vector, access=access, k=K)
        return [int(item.chunk.text) for item in found]

    return search


def plain_connection(engine: Engine) -> psycopg.Connection[Any]:
    """A connection of the driver, for COPY; it commits when a ``with`` over it ends."""
    address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(address)


def vacuum(engine: Engine) -> None:
    """Bring statistics and visibility maps up to date."""
    with plain_connection(engine) as connection:
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE")


def document_row(
    number: int, *, title: str = "Belge", tokens: int = CHUNKS, grams: int = 0
) -> tuple[object, ...]:
    """A ready document for :func:`fill_documents`.

    :param tokens: terms of all its chunks, and ``grams`` their letter grams.
    """
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    file = (f"belge-{number}.pdf", "pdf", digest, 1)
    return (number, title, *file, "ready", 1, CHUNKS, tokens, grams, "now")


def fill_documents(
    connection: psycopg.Connection[Any], data: FilteredSet, rows: Iterable[tuple[object, ...]]
) -> None:
    """Roles, documents 1, 2, 3… and who may read them.

    :param rows: of :func:`document_row`.
    """
    copy_rows(connection, "roles", ["name"], [(role,) for role in data.roles])
    copy_rows(connection, "documents", _DOCUMENTS, rows)
    pairs = (
        (int(i) + 1, role) for role, flags in data.roles.items() for i in np.flatnonzero(flags)
    )
    copy_rows(connection, "document_roles", ["document_id", "role"], pairs)


def fill_chunks(connection: psycopg.Connection[Any], texts: Iterable[str], *, tokens: int) -> None:
    """Chunks 1, 2, 3…, :data:`eval.filtered.CHUNKS` a document.

    :param tokens: terms of each.
    """
    rows = (
        (i + 1, i // CHUNKS + 1, i % CHUNKS, text, 1, 1, tokens) for i, text in enumerate(texts)
    )
    copy_rows(connection, "chunks", _CHUNKS, rows)


def fill_vectors(connection: psycopg.Connection[Any], space: Space, vectors: Vectors) -> None:
    """Vectors of chunks 1, 2, 3…; the index is dropped before and made anew after."""
    partition = partition_name(space.id)
    index = f"ix_{partition}_hnsw"
    made = connection.execute("SELECT pg_get_indexdef(%s::regclass)", (index,)).fetchone()
    assert made is not None, "the space was just made"  # noqa: S101 - a script
    connection.execute(f"DROP INDEX {index}".encode())
    numbers = np.arange(len(vectors), dtype=np.int64)
    columns: dict[str, npt.NDArray[Any]] = {
        "space_id": np.full(len(vectors), space.id, dtype=np.int32),
        "chunk_id": numbers + 1,
        "document_id": numbers // CHUNKS + 1,
        "e": vectors.astype(np.float16),
    }
    copy_columns(connection, "embeddings", columns)
    connection.execute(made[0].encode())
