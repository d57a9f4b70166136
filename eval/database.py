"""Databases that a benchmark makes for itself and drops in the end."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from sqlalchemy.engine import URL, make_url

from docrag.store.embedded import Embedded
from docrag.store.engine import normalise_url

#: Memory in which an HNSW index of 200,000 vectors fits while it is built.
BUILD_MEMORY: Final = "1GB"


@contextmanager
def server() -> Iterator[URL]:
    """The server of ``DATABASE_URL``, or else an embedded one in a temporary folder."""
    if given := os.environ.get("DATABASE_URL"):
        yield make_url(normalise_url(given))
        return
    folder = Path(tempfile.mkdtemp(prefix="docrag-bench-"))
    # As root the server runs under another account, which has to get in.
    folder.chmod(0o755)
    embedded = Embedded(folder / "postgres")
    try:
        yield make_url(embedded.ensure())
    finally:
        embedded.release()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(at: URL) -> Iterator[str]:
    """Address of an empty database, with enough memory for building indexes."""
    name = f"docrag_bench_{uuid.uuid4().hex[:12]}"
    with administrator(at) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        setting = f"ALTER DATABASE {name} SET maintenance_work_mem = '{BUILD_MEMORY}'"
        connection.execute(setting.encode())
        try:
            yield at.set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def administrator(at: URL) -> psycopg.Connection[tuple[object, ...]]:
    """A plain connection whose statements commit at once."""
    address = at.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(address, autocommit=True)
