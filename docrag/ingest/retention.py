"""Retention: what the audit keeps no longer than it may."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from docrag.api import StoreError, StoreUnavailable
from docrag.settings import Settings
from docrag.store import Store

logger = logging.getLogger(__name__)

#: Seconds between two runs of one process.
INTERVAL: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What one run took away."""

    #: Questions that were erased; their rows stay.
    questions: int
    #: Rows that were removed.
    rows: int
    #: Opinions whose question or comment was erased; rating and reason stay.
    feedback: int = 0


class Retention:
    """Enforces ``DOCRAG_QUESTION_DAYS`` and ``DOCRAG_AUDIT_DAYS``. For one thread."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Nothing is done yet; the first run is due at once."""
        self._store = store
        self._settings = settings
        self._due = 0.0

    def run_when_due(self) -> Pruned | None:
        """Run if the last run is an hour ago.

        :raises StoreUnavailable: the database cannot be reached; the run stays due.
        """
        if time.monotonic() < self._due:
            return None
        pruned = None
        try:
            pruned = self.run()
        except StoreUnavailable:
            raise
        except StoreError as exc:
            # Documents must be read all the same; the next hour tries again.
            logger.error("audit not pruned: %s", exc, extra={"action": "audit_not_pruned"})
        self._due = time.monotonic() + INTERVAL
        return pruned

    def run(self, *, now: datetime | None = None) -> Pruned | None:
        """Erase and remove what is too old: also closed windows of rate limits, and words that only
        deleted documents had.

        :param now: another moment than this one, for tests.
        :returns: ``None`` if another process is at it.
        :raises StoreUnavailable: the database cannot be reached.
        """
        now = now or datetime.now(UTC)
        with self._store.housekeeping.turn() as ours:
            if not ours:
                return None
            self._store.limits.sweep()
            self._store.housekeeping.sweep_terms()
            pruned = self._prune(now)
        if pruned.questions or pruned.rows or pruned.feedback:
            logger.info(
                "audit: %d questions erased, %d rows removed, words of %d opinions erased",
                pruned.questions,
                pruned.rows,
                pruned.feedback,
                extra={"action": "audit_pruned"},
            )
        return pruned

    def _prune(self, now: datetime) -> Pruned:
        answers, settings = self._store.answers, self._settings
        words_end = now - timedelta(days=settings.question_days)
        questions = answers.erase_questions(words_end)
        feedback = self._store.feedback.erase_words(words_end)
        keeps_rows = settings.audit_days == 0
        rows = 0 if keeps_rows else answers.remove(now - timedelta(days=settings.audit_days))
        return Pruned(questions=questions, rows=rows, feedback=feedback)
