"""A gate before work that needs much memory: few at a time, some wait, the rest come later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from docrag.web.errors import BUSY, RequestRefused


class Gate:
    """Lets a few threads of this process in at a time."""

    def __init__(self, *, inside: int, waiting: int) -> None:
        """Nobody is inside yet.

        :param inside: threads that may be inside at a time.
        :param waiting: threads that may wait for them; more are sent away.
        """
        self._inside = threading.BoundedSemaphore(inside)
        self._known = threading.BoundedSemaphore(inside + waiting)

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Be inside for the block, after a wait if need be.

        :raises RequestRefused: too many wait already.
        """
        if not self._known.acquire(blocking=False):
            raise RequestRefused(BUSY, "Too many uploads at the same time; try again.")
        try:
            with self._inside:
                yield
        finally:
            self._known.release()


#: Uploads whose bytes one process holds in memory at a time; each may have the upload limit, and
#: is copied on its way into the database.
UPLOADS: Final = Gate(inside=2, waiting=8)
