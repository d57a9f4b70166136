"""The watch over the embedded database."""

from __future__ import annotations

import threading

import pytest

from docrag.api import StoreUnavailable
from docrag.cli.watch import DatabaseWatch


class Looks:
    """A database that is found so, look by look; the last one stays."""

    def __init__(self, *found: str | Exception) -> None:
        self._waiting = list(found)
        #: Set by the last look.
        self.seen = threading.Event()
        self.users = 0

    def ensure(self) -> str:
        self.users = 1
        item = self._waiting.pop(0) if len(self._waiting) > 1 else self._waiting[0]
        if len(self._waiting) == 1:
            self.seen.set()
        if isinstance(item, Exception):
            raise item
        return item

    def release(self) -> None:
        self.users = 0


def test_watch_goes_on_after_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    server = Looks("url", StoreUnavailable("no disk"), "url", "url")
    with DatabaseWatch(server, moved=pytest.fail, interval=0.01):
        assert server.seen.wait(5)
    assert caplog.messages == ["the embedded database is down: no disk"]


def test_watch_tells_that_the_database_moved() -> None:
    moved = threading.Event()
    with DatabaseWatch(Looks("url", "url", "other"), moved=moved.set, interval=0.01):
        assert moved.wait(5)


def test_watch_leaves_the_database_in_the_end() -> None:
    server = Looks("url")
    with DatabaseWatch(server, moved=pytest.fail, interval=0.01):
        assert server.users == 1
    assert server.users == 0
    assert "database" not in {thread.name for thread in threading.enumerate()}
