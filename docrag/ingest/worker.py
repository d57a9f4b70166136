"""Runs ingest jobs: one at a time, each to its end or to a stored reason."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from docrag.api import (
    DocragError,
    PluginError,
    SettingsError,
    StoreUnavailable,
    UnknownName,
)
from docrag.ingest.pipeline import Pipeline
from docrag.ingest.retention import Retention
from docrag.store import ClaimedJob, Store
from docrag.store.records import Job, JobState

logger = logging.getLogger(__name__)

#: Seconds before the next job after one that a wrong setting stopped; it fills no log, and other
#: jobs, which may need something else, still have their turn.
MISTAKE_PAUSE = 10.0


class Worker:
    """Takes queued jobs from the store and runs the pipeline over them."""

    def __init__(
        self, *, store: Store, pipeline: Callable[[], Pipeline], retention: Retention
    ) -> None:
        """Keep the parts.

        :param pipeline: gives the pipeline; called for each job, so that it may be built late.
        :param retention: cleans up between jobs, when it is time to.
        """
        self._store = store
        self._pipeline = pipeline
        self._retention = retention

    def work(self, *, stop: threading.Event, poll: float) -> None:
        """Run jobs until told to stop; a job under way is finished first.

        :param poll: pause when there is nothing to do, or no database, seconds.
        """
        while not stop.is_set():
            try:
                self._retention.run_when_due()
                busy = self.work_once()
            except StoreUnavailable as exc:
                logger.warning("no database: %s", exc, extra={"action": "worker_waits"})
                busy = False
            except (SettingsError, PluginError) as exc:
                logger.error("the document waits: %s", exc, extra={"action": "worker_waits"})
                stop.wait(max(poll, MISTAKE_PAUSE))
                continue
            if not busy:
                stop.wait(poll)

    def work_once(self) -> bool:
        """Run the oldest waiting job; false if there is none.

        :raises SettingsError: a setting or an option is wrong; the job stays queued.
        :raises PluginError: a plugin cannot be used; the job stays queued.
        """
        with self._store.jobs.claim() as claimed:
            if claimed is None:
                return False
            self.run(claimed)
            return True

    def run(self, claimed: ClaimedJob, listen: Callable[[Job], None] | None = None) -> None:
        """Run a claimed job; every failure that is the document's is stored with its reason.

        :param listen: called with the job whenever it has got on.
        :raises StoreUnavailable: the database went away; the job is taken up again later.
        :raises SettingsError: a setting or an option is wrong; the job is queued again.
        :raises PluginError: a plugin cannot be used; the job is queued again.
        """
        job, document = claimed.job, claimed.document

        def report(stage: str, done: int, total: int) -> None:
            self._store.jobs.progress(job.id, stage=stage, done=done, total=total)
            if listen:
                listen(replace(job, state=JobState.RUNNING, stage=stage, done=done, total=total))

        started = time.monotonic()
        extra = {"action": "ingest", "document": document.id, "job": job.id}
        try:
            self._pipeline().run(document, report)
        except StoreUnavailable:
            raise
        except (SettingsError, PluginError):
            # The operator's mistake, which no document shall pay for.
            self._note(job.id, self._store.jobs.put_back)
            raise
        except DocragError as exc:
            if self._end(job.id, str(exc)):
                logger.warning("document %s failed: %s", document.id, exc, extra=extra)
        except Exception as exc:  # noqa: BLE001 - the edge of one job; the worker goes on
            logger.exception("document %s broke the ingest", document.id, extra=extra)
            self._end(job.id, f"internal error: {type(exc).__name__}; see the log")
        else:
            self._end(job.id, "")
            seconds = time.monotonic() - started
            logger.info("document %s is ready after %.1f s", document.id, seconds, extra=extra)

    def _end(self, job_id: str, error: str) -> bool:
        """Store how a job ended; false if its document was deleted meanwhile."""
        jobs = self._store.jobs
        return self._note(job_id, (lambda ended: jobs.fail(ended, error)) if error else jobs.finish)

    def _note(self, job_id: str, change: Callable[[str], None]) -> bool:
        """Store a change of a job; false if its document was deleted meanwhile."""
        try:
            change(job_id)
        except UnknownName:
            extra = {"action": "ingest_gone", "job": job_id}
            logger.info("the document was deleted while it was read", extra=extra)
            return False
        return True
