"""Connections whose sockets are known from the start, so that another thread can end them.

requests hands out a response only when the server has sent its head, and a model's server sends
that together with the first token: without its socket a call could not be given up before. Its
time limits are for each wait alone: a head that comes in drops would be waited for without end.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import urllib3
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from docrag.options import LONGEST_WAIT

_thread = threading.local()


class Cutoff:
    """Ends a request from any thread: the connection that it has, or will have, is shut down."""

    def __init__(self) -> None:
        """Know of no connection yet."""
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        #: True from the first :meth:`cut` on.
        self.is_cut = False

    def cut(self) -> None:
        """End the request, which wakes whoever waits for it; never fails, twice is harmless."""
        with self._lock:
            self.is_cut = True
            self._shut()

    def took(self, sock: socket.socket | None) -> None:
        """Know what the request goes over now.

        :param sock: ``None`` once its connection is another request's.
        """
        with self._lock:
            self._socket = sock
            if self.is_cut:
                self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                # Not the method of a TLS socket, which would also take its state from under the
                # reader.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


@contextmanager
def watching(cutoff: Cutoff) -> Iterator[None]:
    """Have requests of this thread inside the ``with`` block end by ``cutoff``.

    They are sent over one of the adapters of this module.
    """
    _thread.cutoff = cutoff
    try:
        yield
    finally:
        _thread.cutoff = None


@contextmanager
def ended_at(end: float) -> Iterator[None]:
    """Have requests of this thread inside the ``with`` block end at a moment, whatever they do.

    Only the look-up of a name, and a connection that is tried at several addresses of one name,
    are not cut short.

    :param end: of :func:`time.monotonic`; :data:`LONGEST_WAIT` from now at most.
    :raises TimeoutError: it was reached inside the block.
    """
    cutoff = Cutoff()
    timer = threading.Timer(min(end - time.monotonic(), LONGEST_WAIT), cutoff.cut)
    timer.daemon = True
    timer.start()
    try:
        with watching(cutoff):
            yield
    except (OSError, urllib3.exceptions.HTTPError) as exc:
        if cutoff.is_cut:
            raise TimeoutError("the answer has not come in time") from exc
        raise
    finally:
        timer.cancel()
    if cutoff.is_cut:  # to the reader, a head that is cut off looks whole
        raise TimeoutError("the answer has not ended in time")


class WatchedAdapter(HTTPAdapter):
    """Sends requests over connections that the thread's :class:`Cutoff` ends."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on
        """Make pools of watched connections."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}


class FreshAdapter(WatchedAdapter):
    """Never uses a connection twice: the server is told to close it, and may be just about to."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on
        """Make pools that keep nothing."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _FreshPool, "https": _FreshTLSPool}


class _Connection(HTTPConnection):
    def connect(self) -> None:
        super().connect()
        _show(self.sock)

    def request(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on
        _show(self.sock)  # of a connection that is used again
        super().request(*args, **kwargs)


class _TLSConnection(HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        _show(self.sock)

    def request(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - passed on
        _show(self.sock)
        super().request(*args, **kwargs)


class _Kept(HTTPConnectionPool):
    def _put_conn(self, conn: Any) -> None:  # noqa: ANN401 - of any pool, or None
        _show(None)  # before the next request has it
        super()._put_conn(conn)


class _Fresh(_Kept):
    def _put_conn(self, conn: Any) -> None:  # noqa: ANN401 - of any pool, or None
        if conn is not None:
            conn.close()
        super()._put_conn(conn)


class _Pool(_Kept):
    ConnectionCls = _Connection


class _TLSPool(_Kept, HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


class _FreshPool(_Fresh):
    ConnectionCls = _Connection


class _FreshTLSPool(_Fresh, HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


def _show(sock: socket.socket | None) -> None:
    cutoff: Cutoff | None = getattr(_thread, "cutoff", None)
    if cutoff is not None:
        cutoff.took(sock)
