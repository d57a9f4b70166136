"""Engines on PostgreSQL with the options that search and jobs rely on."""

from __future__ import annotations

import os
from functools import cache
from typing import Any
from weakref import WeakSet

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from docrag.api import SettingsError
from docrag.store import pulse

#: Seconds to wait for a connection; short, so that a request says soon that the database is away.
CONNECT_TIMEOUT = 5
#: Seconds to wait for a free pooled connection, for the same reason.
POOL_TIMEOUT = 10
#: Connections that a process keeps, and how many more it may open for a while.
POOL_SIZE, MAX_OVERFLOW = 5, 10
#: Session settings. ``relaxed_order`` and custom plans: filtered HNSW scans return too few rows or
#: take a wrong plan without them. Keepalives: the server notices a vanished worker's machine in a
#: minute and frees its job lock. ``jit``: compiling costs more than these statements run.
#: ``idle_in_transaction_session_timeout`` (ms): a process that was stopped within a transaction
#: holds up all that wait for its locks; an honest one computes no such time between statements,
#: but for a switch to another chunker, which lifts the limit for itself.
SESSION_SETTINGS = {
    "hnsw.iterative_scan": "relaxed_order",
    "plan_cache_mode": "force_custom_plan",
    "jit": "off",
    "timezone": "UTC",
    "idle_in_transaction_session_timeout": "60000",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}

_engines: WeakSet[Engine] = WeakSet()


def normalise_url(url: str) -> str:
    """The same database address with the driver that docrag uses.

    :param url: ``postgres://``, ``postgresql://`` or ``postgresql+psycopg://`` address.
    :raises SettingsError: it is not an address of PostgreSQL; the address is not repeated, since it
        may hold a password.
    """
    scheme, separator, rest = url.strip().partition("://")
    if separator and scheme in {"postgres", "postgresql", "postgresql+psycopg"}:
        normalised = f"postgresql+psycopg://{rest}"
        try:
            make_url(normalised)
        except (ArgumentError, ValueError):
            pass
        else:
            return normalised
    raise SettingsError(
        "DATABASE_URL is not an address of PostgreSQL; write postgresql://USER:PASSWORD@HOST/NAME"
    )


def engine_options() -> dict[str, Any]:
    """Keyword arguments for ``create_engine``, for who builds the engine elsewhere."""
    settings = " ".join(f"-c {name}={value}" for name, value in SESSION_SETTINGS.items())
    return {
        # In place of ``pool_pre_ping``, which doubles the round trips of short requests.
        "pool_events": list(pulse.EVENTS),
        "pool_size": POOL_SIZE,
        "max_overflow": MAX_OVERFLOW,
        "pool_timeout": POOL_TIMEOUT,
        # Parameters hold document text and password hashes: never in a message or a log.
        "hide_parameters": True,
        "connect_args": {
            "connect_timeout": CONNECT_TIMEOUT,
            "application_name": "docrag",
            "client_encoding": "utf8",
            "options": settings,
        },
    }


def make_engine(url: str, *, pool_size: int = POOL_SIZE) -> Engine:
    """An engine that connects on first use and survives ``fork``.

    :param url: address of the database, see :func:`normalise_url`.
    :param pool_size: connections that the process keeps.
    :raises SettingsError: the address is not one of PostgreSQL.
    """
    return fork_safe(
        create_engine(normalise_url(url), **{**engine_options(), "pool_size": pool_size})
    )


def fork_safe(engine: Engine) -> Engine:
    """The same engine, whose pooled connections a forked child will leave to its parent."""
    _register()
    _engines.add(engine)
    return engine


@cache
def _register() -> None:
    """Have every later child forget the pools; called once, and not at import."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget_pools)


def _forget_pools() -> None:
    """Start with empty pools, without closing the connections that the parent still uses."""
    for engine in list(_engines):
        engine.dispose(close=False)
