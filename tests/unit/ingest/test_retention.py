"""When the audit is pruned, and what is left alone."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from docrag.api import StoreError, StoreUnavailable
from docrag.ingest.retention import INTERVAL, Pruned, Retention
from docrag.settings import Settings
from docrag.store import Store

NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Fake:
    """A store that remembers what it was told to prune."""

    def __init__(self) -> None:
        self.ours = True
        self.failure: Exception | None = None
        self.calls: list[tuple[str, object]] = []
        self.answers = SimpleNamespace(
            erase_questions=lambda moment: self._note("questions", moment, 3),
            remove=lambda moment: self._note("rows", moment, 2),
        )
        self.feedback = SimpleNamespace(
            erase_words=lambda moment: self._note("feedback", moment, 1)
        )
        self.limits = SimpleNamespace(sweep=lambda: self._note("sweep", None, 1))
        self.housekeeping = SimpleNamespace(
            turn=self._turn, sweep_terms=lambda: self._note("terms", None, 1)
        )

    def _note(self, what: str, moment: object, count: int) -> int:
        if self.failure is not None:
            raise self.failure
        self.calls.append((what, moment))
        return count

    @contextmanager
    def _turn(self) -> Iterator[bool]:
        yield self.ours


@pytest.fixture
def fake() -> Fake:
    """The store."""
    return Fake()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that a test turns."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    return clock


def make(fake: Fake, *, question_days: int = 30, audit_days: int = 365) -> Retention:
    """A retention with these settings."""
    settings = Settings(question_days=question_days, audit_days=audit_days)
    return Retention(cast(Store, fake), settings)


def test_run_goes_by_the_settings(fake: Fake) -> None:
    pruned = make(fake, question_days=7, audit_days=100).run(now=NOW)

    assert pruned == Pruned(questions=3, rows=2, feedback=1)
    assert dict(fake.calls) == {
        "sweep": None,
        "terms": None,
        "questions": NOW - timedelta(days=7),
        "feedback": NOW - timedelta(days=7),
        "rows": NOW - timedelta(days=100),
    }


def test_zero_audit_days_keep_the_rows(fake: Fake) -> None:
    assert make(fake, audit_days=0).run(now=NOW) == Pruned(questions=3, rows=0, feedback=1)
    assert "rows" not in dict(fake.calls)


def test_run_leaves_the_turn_to_others(fake: Fake) -> None:
    fake.ours = False

    assert make(fake).run() is None
    assert not fake.calls


def test_first_run_is_due_at_once(fake: Fake) -> None:
    assert make(fake).run_when_due() is not None


def test_next_run_is_due_an_hour_later(fake: Fake, clock: SimpleNamespace) -> None:
    kept = make(fake)
    kept.run_when_due()
    clock.now += INTERVAL - 1

    assert kept.run_when_due() is None

    clock.now += 1
    assert kept.run_when_due() is not None


def test_absent_database_leaves_the_run_due(fake: Fake, clock: SimpleNamespace) -> None:
    kept = make(fake)
    fake.failure = StoreUnavailable("away")
    with pytest.raises(StoreUnavailable):
        kept.run_when_due()
    fake.failure = None

    assert kept.run_when_due() is not None


def test_refused_run_does_not_stop_the_worker(
    fake: Fake, clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    kept = make(fake)
    fake.failure = StoreError("refused")

    assert kept.run_when_due() is None
    assert "audit not pruned: refused" in caplog.text


def test_pruning_is_logged_by_count(fake: Fake, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        make(fake).run()

    assert "audit: 3 questions erased, 2 rows removed, words of 1 opinions erased" in caplog.text
