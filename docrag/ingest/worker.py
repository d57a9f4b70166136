"""Runs ingest jobs: one at a time, each to its end, to a later try or to a stored reason."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from docrag.api import (
    DocragError,
    EmbedderError,
    OcrUnavailable,
    PluginError,
    SettingsError,
    StoreError,
    StoreUnavailable,
    UnknownName,
)
from docrag.ingest.guard import Guard
from docrag.ingest.pipeline import Pipeline
from docrag.ingest.reports import CancelRequested, Reports, StopRequested
from docrag.ingest.retention import Retention
from docrag.settings import Settings
from docrag.store import ClaimedJob, Store
from docrag.store.claims import is_passing
from docrag.store.publishing import SpaceChanged
from docrag.store.records import Job
from docrag.store.runs import Run

logger = logging.getLogger(__name__)

#: Seconds before the next job after one that a wrong setting stopped; it fills no log, and other
#: jobs, which may need something else, still have their turn.
MISTAKE_PAUSE = 10.0
#: What readers of a document are told, in place of a message that names servers.
UNREACHABLE = (
    "the embedding model could not be reached or gave no usable answer; the operator finds why in "
    "the log"
)
REFUSED = "the embedding model refused all of the text; the operator finds why in the log"
NO_OCR = "text recognition could not be used; the operator finds why in the log"
#: Seconds of a minute.
_MINUTE = 60.0


class Worker:
    """Takes queued jobs from the store and runs the pipeline over them."""

    def __init__(
        self,
        *,
        store: Store,
        settings: Settings,
        pipeline: Callable[[], Pipeline],
        idle: Callable[[], bool] = lambda: False,
    ) -> None:
        """Keep the parts.

        :param settings: how often a document is tried again, what counts as stuck, and how long the
            audit is kept, which is cleaned up between jobs.
        :param pipeline: gives the pipeline; called for each job, so that it may be built late.
        :param idle: does a few seconds of other work where no job waits; false if there is none.
        """
        self._store = store
        self._idle = idle
        self._pipeline = pipeline
        self._retention = Retention(store, settings)
        self._retries = settings.job_retries
        self._guard = Guard(store, seconds=settings.stall_minutes * _MINUTE)
        self._stop: threading.Event | None = None
        self._current: str | None = None
        self._broken_off: Run | None = None
        self._mistaken_until = 0.0

    def work(
        self,
        *,
        stop: threading.Event,
        poll: float,
        stuck: Callable[[], None] | None = None,
    ) -> None:
        """Run jobs until told to stop; a job under way is queued again at its next report.

        The worker that takes it goes on where this one was.

        :param poll: pause when there is nothing to do, or no database, seconds.
        :param stuck: called from another thread when the job that this worker runs was taken from
            it since it stands still; only the end of the process frees a thread that hangs.
        """

        def released(jobs: list[str]) -> None:
            if stuck is not None and self._current in jobs:
                stuck()

        self._stop = stop
        try:
            with self._guard.watching(released):
                while not stop.is_set():
                    self._work_or_wait(stop, poll)
        finally:
            self._stop = None

    def work_once(self) -> bool:
        """Run the oldest waiting job, or else a step of the idle work; false if there is neither.

        A job that a wrong setting stops leaves its turn to the idle work: until documents are
        embedded as the settings say, every upload waits, and that is what the idle work does.

        :raises SettingsError: a setting or an option is wrong; the job stays queued.
        :raises PluginError: a plugin cannot be used; the job stays queued.
        :raises StoreError: the database refused something; the job is taken up again later.
        """
        if time.monotonic() < self._mistaken_until and self._idle():
            return True
        try:
            return self._run_oldest() or self._idle()
        except (SettingsError, PluginError) as exc:
            self._mistaken_until = time.monotonic() + MISTAKE_PAUSE
            if not self._idle():
                raise
            logger.error("the document waits: %s", exc, extra={"action": "worker_waits"})
            return True

    def _run_oldest(self) -> bool:
        self._settle()
        with self._store.jobs.claim() as claimed:
            if claimed is None:
                return False
            self._current = claimed.job.id
            try:
                self.run(claimed, stop=self._stop)
            except StoreError:
                self._broken_off = claimed.run
                raise
            finally:
                self._current = None
            return True

    def run(
        self,
        claimed: ClaimedJob,
        listen: Callable[[Job], None] | None = None,
        *,
        patient: bool = True,
        stop: threading.Event | None = None,
    ) -> None:
        """Run a claimed job; every failure that is the document's is stored with its reason.

        :param listen: called with the job whenever it has got on.
        :param patient: queue the job for a later try where what failed may pass; else it fails.
        :param stop: queue the job again as soon as this is set.
        :raises StoreUnavailable: the database went away; the job is taken up again later.
        :raises SettingsError: a setting or an option is wrong; the job is queued again.
        :raises PluginError: a plugin cannot be used; the job is queued again.
        """
        report = Reports(self._store, claimed, listen=listen, stop=stop)
        document, jobs, started = claimed.document, self._store.jobs, time.monotonic()
        extra = {"action": "ingest", "document": document.id, "job": claimed.job.id}
        try:
            self._pipeline().run(document, report, run=claimed.run)
        except StoreUnavailable:
            raise
        except (SettingsError, PluginError):
            # The operator's mistake, which no document shall pay for.
            _note(claimed.run, jobs.put_back)
            raise
        except StopRequested:
            if _note(claimed.run, jobs.give_back):
                logger.info("document %s is left to another worker", document.id, extra=extra)
        except CancelRequested:
            if _note(claimed.run, jobs.end_cancelled):
                logger.info("document %s was cancelled", document.id, extra=extra)
        except DocragError as exc:
            self._failed(claimed, exc, self._retries if patient else 0)
        except Exception as exc:  # noqa: BLE001 - the edge of one job; the worker goes on
            logger.exception("document %s broke the ingest", document.id, extra=extra)
            reason = f"internal error: {type(exc).__name__}; see the log"
            _note(claimed.run, lambda run: jobs.fail(run, reason))
        else:
            report.ended()
            seconds = time.monotonic() - started
            logger.info("document %s is ready after %.1f s", document.id, seconds, extra=extra)

    def _work_or_wait(self, stop: threading.Event, poll: float) -> None:
        """Run one job, or wait where there is none or none can be run."""
        try:
            self._retention.run_when_due()
            if not self.work_once():
                stop.wait(poll)
        except StoreUnavailable as exc:
            logger.warning("no database: %s", exc, extra={"action": "worker_waits"})
            stop.wait(poll)
        except (SettingsError, PluginError) as exc:
            logger.error("the document waits: %s", exc, extra={"action": "worker_waits"})
            stop.wait(max(poll, MISTAKE_PAUSE))
        except StoreError as exc:
            logger.error("the database refused: %s", exc, extra={"action": "worker_waits"})
            stop.wait(max(poll, MISTAKE_PAUSE))

    def _failed(self, claimed: ClaimedJob, exc: DocragError, retries: int) -> None:
        """Store a failure, or queue the job again if it may pass."""
        pause: float | None = None
        reason = _told(exc)

        def change(run: Run) -> None:
            nonlocal pause
            if retries and may_pass(exc):
                pause = self._store.jobs.retry_later(run, reason, most=retries)
            else:
                self._store.jobs.fail(run, reason)

        if not _note(claimed.run, change):
            return
        extra = {"action": "ingest", "document": claimed.document.id, "job": claimed.job.id}
        end = "failed" if pause is None else f"is tried again in {pause:.0f} s"
        logger.warning("document %s %s: %s", claimed.document.id, end, exc, extra=extra)

    def _settle(self) -> None:
        """Queue the job again that a database took down when it went: no worker has died."""
        run, self._broken_off = self._broken_off, None
        if run is None:
            return
        reason = "the database failed while the document was read"
        try:
            _note(run, lambda over: self._requeue(over, reason))
        except StoreUnavailable:
            self._broken_off = run
            raise

    def _requeue(self, run: Run, reason: str) -> None:
        self._store.jobs.retry_later(run, reason, most=self._retries)


def may_pass(exc: DocragError) -> bool:
    """True if the same document may be readable later: a server that it needs is away, another
    transaction was in the way, or another space of vectors became the one that is searched.
    """
    if isinstance(exc, EmbedderError):
        return not exc.indices
    if isinstance(exc, StoreError) and is_passing(exc):
        return True
    return isinstance(exc, OcrUnavailable | SpaceChanged | StoreUnavailable)


def _told(exc: DocragError) -> str:
    """The reason that readers of the document are shown: nothing of the servers behind docrag."""
    if isinstance(exc, EmbedderError):
        return REFUSED if exc.indices else UNREACHABLE
    return NO_OCR if isinstance(exc, OcrUnavailable) else str(exc)


def _note(run: Run, change: Callable[[Run], object]) -> bool:
    """Store a change of a job; false if its run is over, for one because the document is gone."""
    try:
        change(run)
    except UnknownName:
        extra = {"action": "ingest_gone", "job": run.job_id}
        logger.info("the document was deleted, or taken over, while it was read", extra=extra)
        return False
    return True
