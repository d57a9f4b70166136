"""Whether a pooled connection still has its server, asked without a round trip.

A question to the server before each use, as SQLAlchemy's ``pool_pre_ping`` asks it, costs as much
as the short statements that a request runs. A server that ended has closed its connections, which
the socket tells at once; only after a rest could a firewall have dropped one without a word.
"""

from __future__ import annotations

import select
import time
from typing import Any, Final

import psycopg
from sqlalchemy.exc import InvalidatePoolError

#: Seconds of rest after which the server itself is asked; far below the idle times of firewalls.
REST: Final = 30.0
#: Under this name a connection keeps the moment of its last use.
_USED: Final = "docrag_used"


def note_use(connection: psycopg.Connection | None, record: Any) -> None:  # noqa: ANN401 - SQLAlchemy's
    """Remember when a connection came back into its pool."""
    record.info[_USED] = time.monotonic()


def check(connection: psycopg.Connection, record: Any, proxy: Any) -> None:  # noqa: ANN401 - SQLAlchemy's
    """Let a connection out of its pool if its server is there.

    :raises InvalidatePoolError: it is not, and so are those of the others that are as old.
    """
    used = record.info.get(_USED)
    # A new connection has just heard from its server.
    if used is None or not (has_news(connection) or time.monotonic() - used > REST):
        return
    if not answers(connection):
        raise InvalidatePoolError


def has_news(connection: psycopg.Connection) -> bool:
    """True if something came that nobody asked for: an end of the connection, or a notice."""
    if connection.closed:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([connection.fileno()], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def answers(connection: psycopg.Connection) -> bool:
    """True if the server answers on this connection, which is in no transaction."""
    try:
        before, connection.autocommit = connection.autocommit, True
        connection.execute("")
        connection.autocommit = before
    except psycopg.Error:
        return False
    return True


#: For ``create_engine(pool_events=…)``.
EVENTS: Final = ((note_use, "checkin"), (check, "checkout"))
