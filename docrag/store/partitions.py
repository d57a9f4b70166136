"""The partition of ``embeddings`` that holds one embedding space, made and removed at run time.

Both keep searches going: a partition is attached, and detached concurrently, under locks that
readers do not notice (PostgreSQL manual, "ALTER TABLE", ``ATTACH`` and ``DETACH PARTITION``).
"""

from __future__ import annotations

import re
import time
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from docrag.api import StoreError
from docrag.store.records import Space

#: HNSW neighbours and build width: more costs five times the build and finds nothing more.
M, EF_CONSTRUCTION = 16, 64
#: Milliseconds for which those who read a partition are awaited; nobody waits behind this.
DETACH_TIMEOUT = 10_000
#: Milliseconds for which searches may wait behind a table that is being dropped, and how often it
#: is tried: a backup, which reads everything, may hold it up.
LOCK_TIMEOUT, TRIES = 500, 20
#: Seconds between two tries.
PAUSE: Final = 0.5
#: What removes spaces, in messages.
DROP = "`docrag reindex drop`"

_NAME = re.compile(r"embeddings_s\d+")
_LOCK_NOT_AVAILABLE = "55P03"
_ATTACHED = text(
    "SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = to_regclass(:name)"
    " AND inhparent = to_regclass('embeddings')"
)


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
        f"CREATE TABLE {name} (LIKE embeddings INCLUDING DEFAULTS INCLUDING CONSTRAINTS,"
        f" CONSTRAINT ck_{name}_dim CHECK (vector_dims(e) = {space.dim:d}))",
        f"CREATE INDEX ix_{name}_hnsw ON {name}"
        f" USING hnsw ((e::halfvec({space.dim:d})) halfvec_cosine_ops)"
        f" WITH (m = {M}, ef_construction = {EF_CONSTRUCTION})",
        # The policy is the parent's; without one here, nobody but the owner reads past it.
        f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY",
        # Not "CREATE TABLE … PARTITION OF", which waits for every reader, and all others for it.
        f"ALTER TABLE embeddings ATTACH PARTITION {name} FOR VALUES IN ({space.id:d})",
    )
    for statement in statements:
        session.execute(text(statement))


def drop_partition(connection: Connection, space_id: int) -> None:
    """Remove the vectors of a space; after a kill in between, once more does the rest.

    :param connection: each of its statements is a transaction by itself.
    :raises StoreError: something reads the tables all the time, such as a backup.
    """
    name = partition_name(space_id)
    pending = connection.execute(_ATTACHED, {"name": name}).scalar_one_or_none()
    try:
        if pending is not None:
            how = "FINALIZE" if pending else "CONCURRENTLY"
            _try(connection, f"ALTER TABLE embeddings DETACH PARTITION {name} {how}", tries=1)
        _try(connection, f"DROP TABLE IF EXISTS {name}", tries=TRIES)
    finally:
        connection.execute(text("RESET lock_timeout"))


def _try(connection: Connection, statement: str, *, tries: int) -> None:
    """Run a statement that waits for readers; several tries of a short wait, or a single long one.

    Foreign keys go with a dropped table, which locks the tables that they name against readers for
    a moment; whoever waits for that moment holds up everybody behind.
    """
    timeout = DETACH_TIMEOUT if tries == 1 else LOCK_TIMEOUT
    connection.execute(text(f"SET lock_timeout = {timeout:d}"))
    for _ in range(tries):
        try:
            connection.execute(text(statement))
        except OperationalError as exc:
            if getattr(exc.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
                raise
            time.sleep(PAUSE)
        else:
            return
    raise StoreError(
        "the vectors could not be removed, because something reads the tables all the time (a "
        f"backup?); run {DROP} again later"
    )
