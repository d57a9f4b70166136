"""The database of a process: the embedded server, or one of the operator's own."""

from __future__ import annotations

from dataclasses import dataclass

from docrag.api import StoreError
from docrag.settings import Settings
from docrag.store import Engine, Store, make_engine
from docrag.store.embedded import Embedded, default_data_dir, remember_data_dir
from docrag.store.migrate import check_current, upgrade


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """A store, and the embedded server that it needs; to be closed in the end."""

    store: Store
    #: ``None`` for a database of the operator's own.
    embedded: Embedded | None

    def close(self) -> None:
        """Give back the connections and the embedded server."""
        self.store.close()
        if self.embedded:
            self.embedded.release()


def connect(settings: Settings, *, engine: Engine | None = None) -> Database:
    """A database that is migrated.

    :param engine: an engine to share instead of a new one; its owner disposes it.
    :raises StoreUnavailable: the database cannot be reached or started.
    :raises StoreError: a database of one's own is not migrated (``docrag migrate``).
    """
    embedded = None if settings.database_url else embedded_of(settings)
    url = embedded.ensure() if embedded else settings.database_url
    if embedded:
        remember_data_dir(settings.instance, default_data_dir(settings.instance))
    store = Store(
        engine or make_engine(url, pool_size=settings.pool_size),
        exact_threshold=settings.exact_threshold,
        hnsw_ef_search=settings.hnsw_ef_search,
        hnsw_overfetch=settings.hnsw_overfetch,
    )
    database = Database(store=store, embedded=embedded)
    try:
        if embedded:
            upgrade(url)
        check_current(url)
    except StoreError:
        database.close()
        raise
    return database


def embedded_of(settings: Settings) -> Embedded:
    """The embedded server of an instance folder, not started yet."""
    return Embedded(default_data_dir(settings.instance))
