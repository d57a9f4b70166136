"""A turn found and pulled in a thread of its own, so that silence and departures are noticed."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

from docrag.api import Delta
from docrag.assistant import Turn

#: Seconds between two looks at whether the client is still there.
POLL: Final = 0.5
#: Seconds without a piece after which a silent pump says so.
SILENCE: Final = 2.5

#: What a pump hands out: the turn when its sources are found, then its pieces.
Piece: TypeAlias = Turn | Delta


class ClientGone(Exception):
    """The client closed its connection before the answer was whole."""


class Pump:
    """Finds the sources of a turn and hands out its pieces; used by one request thread."""

    def __init__(self, prepare: Callable[[], Turn], *, gone: Callable[[], bool]) -> None:
        """Start to find and pull.

        :param prepare: gives a turn that nobody has streamed; called once, in a thread that has
            no request.
        :param gone: tells whether the client has left.
        """
        self._prepare = prepare
        self._gone = gone
        #: ``None`` is the end.
        self._pieces: queue.SimpleQueue[Piece | Exception | None] = queue.SimpleQueue()
        #: What :meth:`wait` took out of the queue.
        self._early: deque[Piece | None] = deque()
        self._turn: Turn | None = None
        self._closed = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._pull, name="turn", daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Wait for the first piece of text, so that an early failure becomes an HTTP error.

        :param seconds: after this time the stream begins without one.
        :raises ClientGone: the client left meanwhile; the turn is closed.
        :raises DocragError: no sources could be sought, or the model failed before its first piece.
        """
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with suppress(queue.Empty):
                self._early.append(self._take(min(POLL, left)))
                if not isinstance(self._early[-1], Turn):
                    return
                continue
            self._look()

    def pieces(self) -> Iterator[Piece | None]:
        """The turn, its pieces as they come, and ``None`` after :data:`SILENCE` seconds without.

        :raises ClientGone: the client left; the turn is closed.
        :raises DocragError: the turn failed; other errors of it come through as well.
        """
        heard = looked = time.monotonic()
        while True:
            now = time.monotonic()
            if now - looked >= POLL:  # pieces may follow each other without a pause
                looked = now
                self._look()
            try:
                piece = self._early.popleft() if self._early else self._take(POLL)
            except queue.Empty:
                if time.monotonic() - heard >= SILENCE:
                    heard = time.monotonic()
                    yield None
                continue
            if piece is None:
                return
            heard = time.monotonic()
            yield piece

    def close(self) -> None:
        """Stop the turn if it still runs, which closes the connection to the model.

        A search that is under way ends first; no model is asked after it.
        """
        self._closed.set()
        if self._turn is not None and not self._ended.is_set():
            self._turn.close()

    def _take(self, seconds: float) -> Piece | None:
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
            turn = self._turn = self._prepare()
            # Set before the look: whoever closes from now on finds the turn.
            if self._closed.is_set():
                turn.close()
            self._pieces.put(turn)
            for piece in turn.stream():
                self._pieces.put(piece)
        except Exception as exc:  # noqa: BLE001 - the edge of a thread: the request raises it
            self._ended.set()
            self._pieces.put(exc)
        else:
            self._ended.set()
            self._pieces.put(None)
