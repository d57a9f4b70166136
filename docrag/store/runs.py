"""Runs of the ingest pipeline: their records, and what only the run itself may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Uuid, bindparam, func, text, update
from sqlalchemy.orm import Session

from docrag.api import UnknownName
from docrag.store import series
from docrag.store.permission import public_uuid
from docrag.store.records import DocumentState, Job, JobState
from docrag.store.tables import DocumentRow, JobRow

#: What a document says whose job was cancelled; it stays, and can be tried again.
CANCELLED: Final = "reading it was cancelled; retry it, or delete it"
_UNKNOWN: Final = "the reason is not known; see the worker's log"


#: One statement and transaction: a run makes many of these notes. Nobody waits for the disk, as
#: with :data:`docrag.store.sessions.NO_WAIT`; the setting ends with the transaction, after it.
_NOTE: Final = text(
    """
    UPDATE ingest_jobs SET stage = :stage, done = :done, total = :total, heartbeat_at = now()
    WHERE id = :job AND state = 'running'
        AND (CAST(:attempt AS integer) IS NULL OR attempts = :attempt)
    RETURNING cancel_requested, set_config('synchronous_commit', 'off', true)
    """
).bindparams(bindparam("job", type_=Uuid))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One try of a job, which a later try of the same job puts out of office."""

    job_id: str
    #: Number of the try, ``attempts`` of the job as it was claimed; ``None`` for whichever runs.
    attempt: int | None = None


def job_of(row: JobRow, document: DocumentRow) -> Job:
    """The record of a job's row.

    :param document: the row of its document.
    """
    return Job(
        id=str(row.id),
        document_id=str(document.public_id),
        state=JobState(row.state),
        stage=row.stage,
        done=row.done,
        total=row.total,
        attempts=row.attempts,
        error=row.error,
        created_at=row.created_at,
        heartbeat_at=row.heartbeat_at,
        run_after=row.run_after,
        cancel_requested=row.cancel_requested,
    )


def update_running(session: Session, run: Run, values: Mapping[str, object]) -> JobRow:
    """Change a running job; its row as it is now.

    :raises UnknownName: the job does not run any more, or another try of it does.
    """
    where = [JobRow.id == public_uuid(run.job_id), JobRow.state == JobState.RUNNING.value]
    if run.attempt is not None:
        where.append(JobRow.attempts == run.attempt)
    query = update(JobRow).where(*where).values(values).returning(JobRow)
    row: JobRow | None = session.scalar(query.execution_options(populate_existing=True))
    if row is None:
        raise UnknownName("running job", run.job_id)
    return row


def note(connection: Connection, run: Run, *, stage: str, done: int, total: int) -> bool:
    """Note how far a running job is; true if it is to be cancelled.

    :param connection: each of its statements is a transaction by itself.
    :raises UnknownName: the job does not run any more, or another try of it does.
    """
    of = {"job": public_uuid(run.job_id), "attempt": run.attempt}
    values = {"stage": stage, "done": done, "total": total, **of}
    row = connection.execute(_NOTE, values).one_or_none()
    if row is None:
        raise UnknownName("running job", run.job_id)
    return bool(row.cancel_requested)


def finish(session: Session, run: Run) -> None:
    """Note that a running job did its work.

    :raises UnknownName: the job does not run any more, or another try of it does.
    """
    update_running(session, run, {**_ended(JobState.DONE), "done": JobRow.total})


def fail(session: Session, run: Run, error: str, *, state: JobState = JobState.FAILED) -> None:
    """End a running job without success, and fail its document.

    :param error: why, for people.
    :param state: failed or cancelled.
    :raises UnknownName: the job does not run any more, or another try of it does.
    """
    reason = reason_of(error)
    told = reason if state == JobState.FAILED else ""
    row = update_running(session, run, _ended(state, told))
    set_document(session, row.document_id, DocumentState.FAILED, reason)


def requeue(session: Session, run: Run, values: Mapping[str, object]) -> None:
    """Queue a running job again.

    :param values: further columns.
    :raises UnknownName: the job does not run any more, or another try of it does.
    """
    row = update_running(session, run, {"state": JobState.QUEUED.value, **values})
    set_document(session, row.document_id, DocumentState.QUEUED, "")


def set_document(session: Session, document: int, state: DocumentState, error: str) -> None:
    """Say where a document stands that is not ready; one that failed ends no earlier version.

    :param document: internal id.
    """
    values = {"state": state.value, "error": error}
    query = update(DocumentRow).where(DocumentRow.id == document).values(values)
    changed = session.execute(query.returning(DocumentRow.public_id, DocumentRow.series)).one()
    if state == DocumentState.FAILED:
        # It was in use if it was read anew. Nobody who has the lock waits for a row that is not
        # ready, so it may be taken after the row.
        series.lock(session, str(changed.public_id))
        series.reckon(session, changed.series)


def reason_of(error: str) -> str:
    """A reason that can be stored; never empty."""
    return error.replace("\x00", "").strip() or _UNKNOWN


def _ended(state: JobState, error: str = "") -> dict[str, object]:
    """The columns of a job that ended."""
    return {"state": state.value, "error": error, "finished_at": func.now(), "run_after": None}
