"""Runs ingest jobs: one at a time, each to its end or to a stored reason."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace

from docrag.api import DocragError, StoreUnavailable, UnknownName
from docrag.ingest.pipeline import Pipeline
from docrag.store import ClaimedJob, Store
from docrag.store.records import Job, JobState

logger = logging.getLogger(__name__)


class Worker:
    """Takes queued jobs from the store and runs the pipeline over them."""

    def __init__(self, *, store: Store, pipeline: Callable[[], Pipeline]) -> None:
        """Keep the parts.

        :param pipeline: gives the pipeline; called for each job, so that it may be built late.
        """
        self._store = store
        self._pipeline = pipeline

    def work(self, *, stop: threading.Event, poll: float) -> None:
        """Run jobs until told to stop; a job under way is finished first.

        :param poll: pause when there is nothing to do, or no database, seconds.
        """
        while not stop.is_set():
            try:
                busy = self.work_once()
            except StoreUnavailable as exc:
                logger.warning("no database: %s", exc, extra={"action": "worker_waits"})
                busy = False
            if not busy:
                stop.wait(poll)

    def work_once(self) -> bool:
        """Run the oldest waiting job; false if there is none."""
        with self._store.jobs.claim() as claimed:
            if claimed is None:
                return False
            self.run(claimed)
            return True

    def run(self, claimed: ClaimedJob, listen: Callable[[Job], None] | None = None) -> None:
        """Run a claimed job; every failure is stored with its reason.

        :param listen: called with the job whenever it has got on.
        :raises StoreUnavailable: the database went away; the job is taken up again later.
        """
        job, document = claimed.job, claimed.document

        def report(stage: str, done: int, total: int) -> None:
            self._store.jobs.progress(job.id, stage=stage, done=done, total=total)
            if listen:
                listen(replace(job, state=JobState.RUNNING, stage=stage, done=done, total=total))

        extra = {"action": "ingest", "document": document.id, "job": job.id}
        try:
            self._pipeline().run(document, report)
        except StoreUnavailable:
            raise
        except DocragError as exc:
            logger.warning("ingest failed: %s", exc, extra=extra)
            self._end(job.id, str(exc))
        except Exception as exc:  # noqa: BLE001 - the edge of one job; the worker goes on
            logger.exception("ingest broke", extra=extra)
            self._end(job.id, f"internal error: {type(exc).__name__}; see the log")
        else:
            self._end(job.id, "")
            logger.info("ingest done", extra=extra)

    def _end(self, job_id: str, error: str) -> None:
        """Store how a job ended, unless its document was deleted meanwhile."""
        try:
            if error:
                self._store.jobs.fail(job_id, error)
            else:
                self._store.jobs.finish(job_id)
        except UnknownName:
            extra = {"action": "ingest_gone", "job": job_id}
            logger.info("the document was deleted while it was read", extra=extra)
