"""Claims on jobs: a session-level advisory lock each, which the server frees at any death."""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg
from sqlalchemy import ColumnElement, Connection, Select, func, or_, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from docrag.api import StoreError
from docrag.store import runs
from docrag.store.documents import document_of
from docrag.store.records import Document, DocumentState, Job, JobState
from docrag.store.runs import Run, job_of
from docrag.store.tables import DocumentRow, JobRow

logger = logging.getLogger(__name__)

#: Tries that ended with the death of the worker, or with its standstill, before a job is given up.
MAX_DEATHS: Final = 3
#: States of a job that is still to be run.
LIVE: Final = (JobState.QUEUED.value, JobState.RUNNING.value)

#: SQLSTATE of refusals that may pass: serialization failure, deadlock, a lock that was not to be
#: had, and a session that was ended for standing still within a transaction. See the PostgreSQL
#: manual, appendix A.
_PASSING: Final = frozenset({"40001", "40P01", "55P03", "25P03", "25P04"})

_LOST: Final = (
    f"the worker died or stood still {MAX_DEATHS} times while it read this document; "
    "it may need more memory than there is, or the file is broken"
)
#: Wait for the end of such a session, milliseconds: its lock is free only then, and one that works
#: in a long statement ends at the next point where the server looks for interrupts.
_PATIENCE: Final = 2_000
#: The lock of a job is on the hash of its id; ``pg_locks`` shows that number in two halves.
_STALLED: Final = text(
    """
    SELECT CAST(j.id AS text), pg_terminate_backend(l.pid, :patience)
    FROM ingest_jobs j
    JOIN pg_locks l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (CAST(l.classid AS bigint) << 32 | CAST(l.objid AS bigint))
            = hashtextextended(CAST(j.id AS text), 0)
    WHERE j.state = 'running' AND j.heartbeat_at < now() - make_interval(secs => :seconds)
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A job with its document, ours for as long as the block of ``claim`` takes."""

    #: As it was when the run began.
    job: Job
    document: Document
    #: The connection whose session holds the lock.
    connection: Connection = field(repr=False)

    @property
    def run(self) -> Run:
        """This try of the job, for what only it may change."""
        return Run(job_id=self.job.id, attempt=self.job.attempts)

    def is_held(self) -> bool:
        """True while the lock is ours; false once its connection broke: another may run then."""
        if self.connection.closed:
            return False
        try:
            self.connection.exec_driver_sql("SELECT 1")
            self.connection.commit()
        except (DBAPIError, psycopg.Error):
            return False
        return True


def due() -> ColumnElement[bool]:
    """Condition on ``ingest_jobs``: still to be run, and not only later."""
    return JobRow.state.in_(LIVE) & or_(JobRow.run_after.is_(None), JobRow.run_after <= func.now())


def first_free(connection: Connection, candidates: Select[Any]) -> ClaimedJob | None:
    """Try the locks of the candidates in turn and start the first job that is still to be run."""
    ids = connection.scalars(candidates).all()
    connection.commit()
    for job_id in ids:
        key = func.hashtextextended(str(job_id), 0)
        # One by one: in a WHERE clause the server may lock rows that it does not return.
        locked = connection.scalar(select(func.pg_try_advisory_lock(key)))
        # The lock belongs to the session; a transaction left open would swallow the next commit.
        connection.commit()
        if not locked:
            continue
        with Session(connection, expire_on_commit=False) as session:
            claimed = _start(session, connection, job_id)
            # The lock is held already when others can see that the job runs.
            session.commit()
        if claimed is not None:
            return claimed
        connection.execute(select(func.pg_advisory_unlock(key)))
        connection.commit()
    return None


def release_stalled(session: Session, *, seconds: float) -> list[str]:
    """End the sessions that hold the locks of running jobs without a sign of life.

    A job whose lock is free is claimed like any other whose worker is gone: at once, since each
    session is waited for until it is over (milliseconds; 2 seconds at most). Its old worker, if it
    ever goes on, finds at its next report that its try is over.

    :param seconds: age of the last sign of life.
    :returns: ids of the jobs.
    """
    given = {"seconds": seconds, "patience": _PATIENCE}
    return [job_id for job_id, _ in session.execute(_STALLED, given)]


def is_passing(error: StoreError) -> bool:
    """True if the database refused a change for what others did just then: again, it may go."""
    # The driver's error quotes rows, so it is no cause that a log would print; it is kept beside.
    driver = error.__context__
    found = driver.orig if isinstance(driver, DBAPIError) else driver
    return isinstance(found, psycopg.Error) and found.sqlstate in _PASSING


def close(connection: Connection) -> None:
    """Free a connection's locks and close it; one that is broken has freed them already.

    Closing alone would free them only once the server has seen it, some milliseconds later.
    """
    try:
        with connection:
            if not (connection.closed or connection.invalidated):
                connection.rollback()
                connection.execute(select(func.pg_advisory_unlock_all()))
                connection.commit()
    except (DBAPIError, psycopg.Error):
        logger.info("the lock's connection was closed already", extra={"action": "job.lock_lost"})


def _start(session: Session, connection: Connection, job_id: uuid.UUID) -> ClaimedJob | None:
    """Mark a job whose lock we hold as running; ``None`` if it ended or is given up."""
    query = select(JobRow, DocumentRow).join(DocumentRow).where(JobRow.id == job_id, due())
    found = session.execute(query.with_for_update(skip_locked=True)).one_or_none()
    if found is None:
        return None
    job, document = found
    if job.state == JobState.RUNNING.value and _is_over(session, job):
        return None
    job.state, job.stage, job.done, job.total = JobState.RUNNING.value, "", 0, 0
    job.attempts += 1
    job.error, job.run_after = "", None
    job.started_at = job.heartbeat_at = func.now()
    document.state, document.error = DocumentState.PROCESSING.value, ""
    session.flush()
    session.refresh(job)
    return ClaimedJob(
        job=job_of(job, document), document=document_of(document), connection=connection
    )


def _is_over(session: Session, job: JobRow) -> bool:
    """End a job whose worker is gone if it was to be cancelled, or has lost too many workers."""
    run = Run(job_id=str(job.id))
    if job.cancel_requested:
        runs.fail(session, run, runs.CANCELLED, state=JobState.CANCELLED)
        return True
    # Tries that ended by themselves are those that were queued again for a passing failure.
    if job.attempts - job.retries >= MAX_DEATHS:
        runs.fail(session, run, _LOST)
        return True
    return False
