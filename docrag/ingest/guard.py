"""Watches over running jobs: one that stands still is taken from its worker."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from docrag.api import StoreError
from docrag.store import Store

logger = logging.getLogger(__name__)

#: Longest pause between two looks, seconds.
LONGEST_PAUSE: Final = 60.0
#: Looks within the time after which a job counts as stuck.
LOOKS: Final = 4


class Guard:
    """Looks in a thread of its own, so that a busy worker sees the others', and its own, jobs."""

    def __init__(self, store: Store, *, seconds: float) -> None:
        """Nothing is watched yet.

        :param seconds: time without a sign of life after which a job is stuck.
        """
        self._store = store
        self._seconds = seconds

    @contextmanager
    def watching(self, stuck: Callable[[list[str]], None]) -> Iterator[None]:
        """Look again and again inside the block.

        :param stuck: called from the guard's thread with the ids of jobs that were released.
        """
        over = threading.Event()
        pause = min(LONGEST_PAUSE, self._seconds / LOOKS)

        def watch() -> None:
            while not over.wait(pause):
                released = self.look()
                if released:
                    stuck(released)

        thread = threading.Thread(target=watch, name="guard", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def look(self) -> list[str]:
        """Release the jobs that are stuck, in whichever worker; their ids."""
        try:
            released = self._store.jobs.release_stalled(seconds=self._seconds)
        except StoreError as exc:
            logger.warning("stuck jobs not looked for: %s", exc, extra={"action": "guard_waits"})
            return []
        for job in released:
            logger.error(
                "no sign of life for %.0f s; another worker takes the document over",
                self._seconds,
                extra={"action": "job_stuck", "job": job},
            )
        return released
