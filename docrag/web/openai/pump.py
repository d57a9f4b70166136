"""A turn pulled in a thread of its own, so that silence and a gone client are noticed."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from docrag.api import Delta
from docrag.assistant import Turn

#: Seconds between two looks at whether the client is still there.
POLL: Final = 0.5
#: Seconds without a piece after which a silent pump says so.
SILENCE: Final = 2.5


class ClientGone(Exception):
    """The client closed its connection before the answer was whole."""


class Pump:
    """Hands out the pieces of a turn; used by one request thread."""

    def __init__(self, turn: Turn, *, gone: Callable[[], bool]) -> None:
        """Start to pull.

        :param turn: a turn that nobody has streamed yet.
        :param gone: tells whether the client has left.
        """
        self._turn = turn
        self._gone = gone
        self._pieces: queue.SimpleQueue[Delta | Exception | None] = queue.SimpleQueue()
        #: What :meth:`wait` took out of the queue.
        self._early: list[Delta | None] = []
        self._ended = threading.Event()
        name = f"turn-{turn.id}"
        threading.Thread(target=self._pull, name=name, daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Wait for the first piece, so that an early failure becomes an HTTP error.

        :param seconds: after this time the stream begins without one.
        :raises ClientGone: the client left meanwhile; the turn is closed.
        :raises LLMError: the model failed before its first piece.
        """
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with suppress(queue.Empty):
                self._early.append(self._take(min(POLL, left)))
                return
            self._look()

    def pieces(self) -> Iterator[Delta | None]:
        """Pieces as they come, and ``None`` after each :data:`SILENCE` seconds without one.

        :raises ClientGone: the client left during a silence; the turn is closed.
        :raises LLMError: the model failed; other errors of the turn come through as well.
        """
        heard = time.monotonic()
        while True:
            try:
                piece = self._early.pop() if self._early else self._take(POLL)
            except queue.Empty:
                self._look()
                if time.monotonic() - heard >= SILENCE:
                    heard = time.monotonic()
                    yield None
                continue
            if piece is None:
                return
            heard = time.monotonic()
            yield piece

    def close(self) -> None:
        """Stop the turn if it still runs, which closes the connection to the model."""
        if not self._ended.is_set():
            self._turn.close()

    def _take(self, seconds: float) -> Delta | None:
        """The next piece, or ``None`` at the end.

        :raises queue.Empty: nothing came in time.
        """
        piece = self._pieces.get(timeout=seconds)
        if isinstance(piece, Exception):
            raise piece
        return piece

    def _look(self) -> None:
        if self._gone():
            self.close()
            raise ClientGone

    def _pull(self) -> None:
        try:
            for piece in self._turn.stream():
                self._pieces.put(piece)
        except Exception as exc:  # noqa: BLE001 - the edge of a thread: the request raises it
            self._ended.set()
            self._pieces.put(exc)
        else:
            self._ended.set()
            self._pieces.put(None)
