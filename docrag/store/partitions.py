"""The partition of ``embeddings`` that holds one embedding space, made at run time."""

from __future__ import annotations

import re

from sqlalchemy import text
from sqlalchemy.orm import Session

from docrag.store.records import Space

#: HNSW neighbours and build width: more costs five times the build and finds nothing more.
M, EF_CONSTRUCTION = 16, 64

_NAME = re.compile(r"embeddings_s\d+")


def partition_name(space_id: int) -> str:
    """Name of the table with the vectors of a space."""
    return f"embeddings_s{space_id:d}"


def is_partition(name: str) -> bool:
    """True for the name of a table that :func:`create_partition` makes."""
    return _NAME.fullmatch(name) is not None


def create_partition(session: Session, space: Space) -> None:
    """Make table, dimension check and HNSW index of a space in the session's transaction.

    :param space: a space whose row is inserted already.
    """
    name = partition_name(space.id)
    statements = (
        f"CREATE TABLE {name} PARTITION OF embeddings"
        f" (CONSTRAINT ck_{name}_dim CHECK (vector_dims(e) = {space.dim:d}))"
        f" FOR VALUES IN ({space.id:d})",
        f"CREATE INDEX ix_{name}_hnsw ON {name}"
        f" USING hnsw ((e::halfvec({space.dim:d})) halfvec_cosine_ops)"
        f" WITH (m = {M}, ef_construction = {EF_CONSTRUCTION})",
        # The policy is the parent's; without one here, nobody but the owner reads past it.
        f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY",
    )
    for statement in statements:
        session.execute(text(statement))
