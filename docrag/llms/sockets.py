"""Connections whose sockets are known from the start, so that another thread can end them.

requests hands out a response only when the server has sent its head, and a model's server sends
that together with the first token: without its socket a call could not be given up before.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

Watcher: TypeAlias = Callable[[socket.socket], None]

_thread = threading.local()


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Show the watcher each socket that this thread opens inside the ``with`` block."""
    _thread.watcher = watcher
    try:
        yield
    finally:
        del _thread.watcher


def shut(sock: socket.socket) -> None:
    """End a connection in both directions, which wakes whoever waits for it; never fails."""
    with suppress(OSError):
        # Not the method of a TLS socket, which would also take its state from under the reader.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


class WatchedAdapter(HTTPAdapter):
    """Opens connections for requests and shows their sockets to the thread's watcher."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on
        """Make pools of watched connections."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}


class _Connection(HTTPConnection):
    def connect(self) -> None:
        super().connect()
        _show(self.sock)


class _TLSConnection(HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        _show(self.sock)


class _Fresh(HTTPConnectionPool):
    """Never uses a connection twice: the server is told to close it, and may be just about to."""

    def _put_conn(self, conn: Any) -> None:  # noqa: ANN401 - of either pool, or None
        if conn is not None:
            conn.close()
        super()._put_conn(conn)


class _Pool(_Fresh):
    ConnectionCls = _Connection


class _TLSPool(_Fresh, HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


def _show(sock: socket.socket | None) -> None:
    watcher: Watcher | None = getattr(_thread, "watcher", None)
    if watcher is not None and sock is not None:
        watcher(sock)
