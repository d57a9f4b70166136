"""The database of a process: the embedded server, or one of the operator's own."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from docrag.api import StoreError
from docrag.settings import Settings
from docrag.store import Engine, Store, make_engine
from docrag.store.embedded import Embedded, default_data_dir, has_cluster, remember_data_dir
from docrag.store.migrate import check_current, upgrade

logger = logging.getLogger(__name__)


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


def connect(
    settings: Settings, *, engine: Engine | None = None, create: bool | None = None
) -> Database:
    """A database that is migrated.

    :param engine: an engine to share instead of a new one; its owner disposes it.
    :param create: what to do where there is none: make an embedded one (``True``), refuse
        (``False``), or make one and warn of it (``None``).
    :raises StoreUnavailable: the database cannot be reached or started.
    :raises StoreError: a database of one's own is not migrated (``docrag migrate``), or there is
        none and ``create`` is ``False``.
    """
    if create is False:
        require_database(settings)
    made = not is_there(settings)
    database = _connected(settings, engine)
    if made:
        logger.log(
            logging.INFO if create else logging.WARNING,
            "there was no docrag in the folder %s; a new one without documents or users was made",
            settings.instance.absolute(),
            extra={"action": "instance_made"},
        )
    return database


def _connected(settings: Settings, engine: Engine | None) -> Database:
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


def is_there(settings: Settings) -> bool:
    """Whether there is a database to work on: one of one's own, or one in the instance folder.

    :raises StoreUnavailable: the instance folder is closed to this user.
    """
    return bool(settings.database_url) or has_cluster(settings.instance)


def require_database(settings: Settings) -> None:
    """Check that there is a database to work on, making none.

    :raises StoreError: the instance folder has no embedded database, and no other is set.
    """
    if is_there(settings):
        return
    raise StoreError(
        f"there is no docrag database in the instance folder {settings.instance.name!r}; start "
        "one with `docrag serve` (or `Assistant.open(create=True)`), or name the right folder "
        "with DOCRAG_INSTANCE, --instance or instance="
    )
