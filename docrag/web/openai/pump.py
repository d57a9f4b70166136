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
#: Finds the sources of a turn; the function that it is given tells, at any time and from any
#: thread, whether nobody waits for them any more.
Prepare: TypeAlias = Callable[[Callable[[], bool]], Turn]


def _nothing() -> None:
    """Do nothing."""


class ClientGone(Exception):
    """The client closed its connection before the answer was whole."""


class Pump:
    """Finds the sources of a turn and hands out its pieces; used by one request thread."""

    def __init__(
        self,
        prepare: Prepare,
        *,
        gone: Callable[[], bool],
        over: Callable[[], None] = _nothing,
    ) -> None:
        """Start to find and pull.

        :param prepare: gives a turn that nobody has streamed; called once, in a thread that has
            no request.
        :param gone: tells whether the client has left; called in both threads.
        :param over: called when the pump is closed and its thread has ended, whichever comes last;
            perhaps more than once, in either thread.
        """
        self._prepare = prepare
        self._gone = gone
        self._over = over
        #: ``None`` is the end.
        self._pieces: queue.SimpleQueue[Piece | Exception | None] = queue.SimpleQueue()
        #: What :meth:`wait` took out of the queue.
        self._early: deque[Piece | None] = deque()
        self._turn: Turn | None = None
        self._closed = threading.Event()
        #: The pump's thread has seen that the client left.
        self._left = threading.Event()
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
        try:
            if self._turn is not None and not self._ended.is_set():
                self._turn.close()
        finally:
            self._settle()

    def _take(self, seconds: float) -> Piece | None:
        """The next piece, or ``None`` at the end.

        :raises queue.Empty: nothing came in time.
        :raises ClientGone: the turn was stopped because the client left.
        """
        piece = self._pieces.get(timeout=seconds)
        if isinstance(piece, Exception):
            raise piece
        if piece is None and self._left.is_set():
            self._look()
        return piece

    def _look(self) -> None:
        if self._left.is_set() or self._gone():
            self.close()
            raise ClientGone

    def _settle(self) -> None:
        """Say that all is over if it is; each thread sets its own event first, so one sees both."""
        if self._closed.is_set() and self._ended.is_set():
            self._over()

    def _unwanted(self) -> bool:
        """True if the pump is closed, or the client has left, which stays so."""
        if not self._closed.is_set() and self._gone():
            self._left.set()
        return self._closed.is_set() or self._left.is_set()

    def _pull(self) -> None:
        last: Exception | None = None
        try:
            self._run()
        except Exception as exc:  # noqa: BLE001 - the edge of a thread: the request raises it
            last = exc
        finally:
            self._ended.set()
            self._settle()
            self._pieces.put(last)
            del last  # it knows this frame: together they would keep the turn in memory

    def _run(self) -> None:
        turn = self._turn = self._prepare(self._unwanted)
        # Set before the look: whoever closes from now on finds the turn.
        if self._closed.is_set() or self._left.is_set():
            turn.close()
        self._pieces.put(turn)
        for piece in turn.stream():
            self._pieces.put(piece)
