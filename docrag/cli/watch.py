"""Keeps the embedded database running while ``docrag serve`` does."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final, Protocol, Self

logger = logging.getLogger(__name__)

#: Seconds between two looks at the database, of which each costs one connection (7 ms).
_INTERVAL: Final = 2.0


class Server(Protocol):
    """The embedded database, see :class:`docrag.store.embedded.Embedded`."""

    def ensure(self) -> str:
        """Its URL; it runs then."""
        ...

    def release(self) -> None:
        """Leave it."""
        ...


class DatabaseWatch:
    """A thread that brings the database back within the block, however often it dies."""

    def __init__(
        self,
        server: Server,
        *,
        moved: Callable[[], None],
        interval: float = _INTERVAL,
    ) -> None:
        """Remember what to do; nothing is started yet.

        :param server: the database, which counts this watch as one of its users in the block.
        :param moved: called from the thread when the URL has become another one.
        :param interval: seconds between two looks.
        """
        self._server, self._moved, self._interval = server, moved, interval
        self._url = ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="database", daemon=True)

    def __enter__(self) -> Self:
        """The watch, at work.

        :raises StoreError: the database cannot be started.
        """
        self._url = self._server.ensure()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End it; a start under way is awaited, so that nothing is started after the block."""
        self._stop.set()
        self._thread.join()
        self._server.release()

    def _watch(self) -> None:
        url = self._url
        while not self._stop.wait(self._interval):
            try:
                found = self._server.ensure()
            except Exception as exc:  # noqa: BLE001 - the edge of the thread; it tries again
                logger.error(
                    "the embedded database is down: %s", exc, extra={"action": "database_down"}
                )
                continue
            if found != url:
                logger.warning("the embedded database moved", extra={"action": "database_moved"})
                self._moved()
            url = found
