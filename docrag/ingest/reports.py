"""Reports of a run: what its job shows of it, and whether it is still wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from docrag.store import ClaimedJob, Store
from docrag.store.records import Job, JobState

#: Seconds between two reports to the store within a stage; a stage begins with one.
PAUSE: Final = 0.5


class CancelRequested(Exception):  # noqa: N818 - no error, but an order
    """Somebody wants the run to be given up."""


class StopRequested(Exception):  # noqa: N818 - no error, but an order
    """The worker is to end; another one goes on with the run."""


class Reports:
    """Receives the progress of one run; see :data:`docrag.ingest.pipeline.Progress`."""

    def __init__(
        self,
        store: Store,
        claimed: ClaimedJob,
        *,
        listen: Callable[[Job], None] | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        """Nothing is reported yet.

        :param listen: called with the job at each report, also those that the store is spared.
        :param stop: set when the worker is to end.
        """
        self._jobs = store.jobs
        self._claimed = claimed
        self._listen = listen
        self._stop = stop
        self._now = replace(claimed.job, state=JobState.RUNNING)
        self._due = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take a report; it is the run's sign of life, so it is made only when it got on.

        :raises CancelRequested: the run is to be given up.
        :raises StopRequested: the run is to be left to another worker.
        :raises UnknownName: the run is over, for one because its document was deleted.
        """
        begins = stage != self._now.stage
        self._now = replace(self._now, stage=stage, done=done, total=total)
        if self._listen:
            self._listen(self._now)
        if self._stop is not None and self._stop.is_set():
            raise StopRequested
        if not begins and time.monotonic() < self._due:
            return
        run = self._claimed.run
        if not self._jobs.progress(run, stage=stage, done=done, total=total):
            raise CancelRequested
        self._due = time.monotonic() + PAUSE

    def ended(self) -> None:
        """Tell the listener, not the store, that the last stage is through."""
        if self._listen:
            self._listen(replace(self._now, done=self._now.total))
