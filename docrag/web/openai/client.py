"""The client's end of a connection: whether somebody still listens."""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Callable, Mapping
from typing import Any

#: Keys under which servers hand over the connection.
_SOCKETS = ("gunicorn.socket", "werkzeug.socket")


def departure(environ: Mapping[str, Any]) -> Callable[[], bool]:
    """A function that tells whether the client of a request has left.

    It peeks at the connection, where the server hands it over and it is not encrypted here;
    elsewhere it always says no, and a failed write tells.

    :param environ: the WSGI environment of the request.
    """
    connection = next((environ[key] for key in _SOCKETS if key in environ), None)
    flags = getattr(socket, "MSG_DONTWAIT", 0) | socket.MSG_PEEK
    if not isinstance(connection, socket.socket) or isinstance(connection, ssl.SSLSocket):
        return _never
    if not hasattr(socket, "MSG_DONTWAIT") or connection.gettimeout() is not None:
        return _never

    def gone() -> bool:
        try:
            return connection.recv(1, flags) == b"" or _has_ended(connection)
        except BlockingIOError:
            return False
        except (OSError, ValueError):  # the latter: closed between the two looks
            return True

    return gone


def _has_ended(connection: socket.socket) -> bool:
    """True if nothing comes behind the bytes that wait; always false where no system tells.

    :raises ValueError: the connection is closed on our side.
    """
    ended = getattr(select, "POLLRDHUP", 0)
    if not ended:
        return False
    poll = select.poll()
    poll.register(connection, ended)
    return bool(poll.poll(0))


def _never() -> bool:
    return False
