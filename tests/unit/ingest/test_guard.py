"""The watch over jobs that stand still."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import cast

import pytest

from docrag.api import StoreUnavailable
from docrag.ingest.guard import Guard
from docrag.store import Store


def guard(released: list[list[str]], *, seconds: float = 0.02) -> Guard:
    """A guard that finds these jobs, look by look."""

    def release(*, seconds: float) -> list[str]:
        if not released:
            raise StoreUnavailable("gone")
        return released.pop(0)

    jobs = SimpleNamespace(release_stalled=release)
    return Guard(cast(Store, SimpleNamespace(jobs=jobs)), seconds=seconds)


def test_stuck_jobs_are_named() -> None:
    found, seen = threading.Event(), list[str]()

    def stuck(jobs: list[str]) -> None:
        seen.extend(jobs)
        found.set()

    with guard([[], ["j"]]).watching(stuck):
        assert found.wait(10)
    assert seen == ["j"]


def test_nothing_is_watched_after_the_block() -> None:
    with guard([], seconds=1000).watching(lambda jobs: None):
        pass
    assert not [thread for thread in threading.enumerate() if thread.name == "guard"]


def test_lost_database_is_looked_for_again(caplog: pytest.LogCaptureFixture) -> None:
    assert guard([]).look() == []
    assert caplog.messages == ["stuck jobs not looked for: gone"]
