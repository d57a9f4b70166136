"""Alembic's environment: runs migrations on a given connection, or on ``DATABASE_URL``."""

from __future__ import annotations

import os

from alembic import context
from sqlalchemy import Connection, create_engine

from docrag.store.engine import normalise_url
from docrag.store.partitions import is_partition
from docrag.store.tables import Base


def include_name(name: str | None, kind: str, parents: object) -> bool:
    """False for the partitions of ``embeddings``, which are made at run time."""
    return not (kind == "table" and name is not None and is_partition(name))


def run(connection: Connection) -> None:
    """Run what Alembic was asked for on this connection."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_name=include_name,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with create_engine(normalise_url(os.environ["DATABASE_URL"])).connect() as opened:
        run(opened)
        opened.commit()
