"""Gates before work that needs much: so many at a time, the rest come later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flask import Flask, current_app

from docrag.settings import Settings
from docrag.web.errors import BUSY, RequestRefused

#: Where the admission of an app stands in ``app.extensions``.
KEY: Final = "docrag_admission"
#: Threads that are kept for everything but answers, where there are at least twice as many.
SPARED: Final = 32


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


class Place:
    """A place among those who are written for; given back once, whoever does it."""

    def __init__(self, places: threading.Semaphore) -> None:
        """Take a place that was acquired."""
        self._places = places
        self._lock = threading.Lock()
        self._held = True

    def release(self) -> None:
        """Give the place back. Thread-safe; twice is fine."""
        with self._lock:
            held, self._held = self._held, False
        if held:
            self._places.release()

    def __del__(self) -> None:
        """Give back what everybody forgot, such as the place of an answer that was never sent."""
        self.release()


class Admission:
    """Lets so many answers of this process be written at a time; nobody waits."""

    def __init__(self, most: int) -> None:
        """Nothing is written yet.

        :param most: answers at a time, at least 1.
        """
        self._places = threading.Semaphore(most)

    def enter(self) -> Place:
        """A place, held until it is released.

        :raises RequestRefused: there is none just now (503).
        """
        if not self._places.acquire(blocking=False):
            raise RequestRefused(BUSY, "Too many answers are being written; try again.")
        return Place(self._places)


def install(app: Flask, settings: Settings) -> None:
    """Give an app its admission."""
    app.extensions[KEY] = Admission(streams(settings))


def admission() -> Admission:
    """The admission of the app that handles this request."""
    found: Admission = current_app.extensions[KEY]
    return found


def streams(settings: Settings) -> int:
    """Answers that one process writes at a time."""
    threads = settings.web_threads
    return settings.web_streams or max(threads - SPARED, threads // 2)
