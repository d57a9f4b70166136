"""Ingest jobs: claimed by one worker at a time, and found again when it dies."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Select, func, select, update
from sqlalchemy.orm import Session

from docrag.api import Access, DocumentNotFound, UnknownName
from docrag.store.claims import ClaimedJob, close
from docrag.store.documents import document_of
from docrag.store.permission import permits, public_uuid
from docrag.store.records import DocumentState, Job, JobState
from docrag.store.runs import job_of
from docrag.store.sessions import Sessions, database_errors
from docrag.store.tables import DocumentRow, JobRow

#: A job is started at most this often; a document that kills its worker each time is given up.
MAX_ATTEMPTS = 3
#: Jobs looked at for one claim, oldest first; more than there will be workers.
CANDIDATES = 1_000

#: Number that no document has; they count from 1.
_NO_DOCUMENT = 0

_LIVE = (JobState.QUEUED.value, JobState.RUNNING.value)
_LOST = (
    f"the worker died {MAX_ATTEMPTS} times while it read this document; "
    "it may need more memory than there is, or the file is broken"
)


class Jobs:
    """Hands out ingest jobs and keeps account of them."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @contextmanager
    def claim(self) -> Iterator[ClaimedJob | None]:
        """The oldest job that waits, or whose worker is gone; ``None`` if there is nothing to do.

        The job is ours inside the ``with`` block, however long that takes::

            with store.jobs.claim() as claimed:
                if claimed is not None:
                    run(claimed.job, claimed.document)
                    store.jobs.finish(claimed.job.id)

        Its lock is a session-level advisory lock on a connection of its own, taken before the claim
        is committed. The server frees it when that connection ends, also by ``kill -9``, and then
        the job can be claimed again; so can one that was neither finished nor failed in the block.
        A pooler between worker and server must pool sessions, not transactions.

        A job that was started three times without an end is failed instead, with its document.

        :raises StoreUnavailable: the database cannot be reached.
        """
        query = select(JobRow.id).where(JobRow.state.in_(_LIVE))
        query = query.order_by(JobRow.created_at, JobRow.id).limit(CANDIDATES)
        with self._claim(query) as claimed:
            yield claimed

    @contextmanager
    def claim_one(self, job_id: str) -> Iterator[ClaimedJob | None]:
        """This job, to be run now; ``None`` if another process runs it or it has ended.

        Otherwise like :meth:`claim`.

        :raises StoreUnavailable: the database cannot be reached.
        """
        where = (JobRow.id == public_uuid(job_id), JobRow.state.in_(_LIVE))
        with self._claim(select(JobRow.id).where(*where)) as claimed:
            yield claimed

    def progress(self, job_id: str, *, stage: str, done: int, total: int) -> None:
        """Note how far a running job is.

        :param done: units finished of the stage (pages or chunks), out of ``total``.
        :raises UnknownName: the job does not run any more, for one because its document was
            deleted: stop.
        """
        values = {"stage": stage, "done": done, "total": total, "heartbeat_at": func.now()}
        with self._sessions.begin() as session:
            _update_running(session, job_id, values)

    def finish(self, job_id: str) -> None:
        """Note that a running job did its work.

        :raises UnknownName: the job does not run any more.
        """
        with self._sessions.begin() as session:
            _update_running(session, job_id, _ended(JobState.DONE))

    def fail(self, job_id: str, error: str) -> None:
        """Note that a running job and its document failed, in one transaction.

        :param error: why, for people; no text of the document.
        :raises UnknownName: the job does not run any more.
        """
        with self._sessions.begin() as session:
            _fail(session, job_id, error)

    def put_back(self, job_id: str) -> None:
        """Queue a running job again, behind the others, as if it had not been started.

        :raises UnknownName: the job does not run any more.
        """
        values: dict[str, object] = {
            "state": JobState.QUEUED.value,
            "created_at": func.now(),
            "attempts": JobRow.attempts - 1,
        }
        with self._sessions.begin() as session:
            document = _update_running(session, job_id, values)
            where = DocumentRow.id == document
            queued = {"state": DocumentState.QUEUED.value}
            session.execute(update(DocumentRow).where(where).values(queued))

    def get(self, job_id: str, *, access: Access) -> Job:
        """A job of a document that the access may read.

        :raises DocumentNotFound: job or document is hidden or missing.
        """
        key = public_uuid(job_id)
        # Hidden and missing jobs have the same done for them, so that time tells nothing: a number
        # is looked up, then the document with it. A plan that begins with the job would look at a
        # document for a hidden one only.
        number = select(JobRow.document_id).where(JobRow.id == key).scalar_subquery()
        with self._sessions.single() as connection:
            document_id = connection.scalar(select(func.coalesce(number, _NO_DOCUMENT)))
        query = select(DocumentRow).where(DocumentRow.id == document_id, permits(access))
        with self._sessions.begin(access=access) as session:
            document = session.scalar(query)
            job = None if document is None else session.get(JobRow, key)
        if document is None or job is None:
            raise DocumentNotFound(job_id)
        return job_of(job, document)

    @contextmanager
    def _claim(self, candidates: Select[Any]) -> Iterator[ClaimedJob | None]:
        """The first of the candidates that nobody runs, for as long as the block takes."""
        with self._lock_connection() as connection:
            with database_errors(self._sessions.engine):
                claimed = _first_free(connection, candidates)
            yield claimed

    @contextmanager
    def _lock_connection(self) -> Iterator[Connection]:
        """A connection of its own, that is really closed at the end and its locks freed."""
        with database_errors(self._sessions.engine):
            connection = self._sessions.engine.connect()
        try:
            # Out of the pool, where closing it would keep the server's session and the lock.
            connection.detach()
            yield connection
        finally:
            close(connection)


def _first_free(connection: Connection, candidates: Select[Any]) -> ClaimedJob | None:
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


def _start(session: Session, connection: Connection, job_id: uuid.UUID) -> ClaimedJob | None:
    """Mark a job whose lock we hold as running; ``None`` if it ended or is given up."""
    query = select(JobRow, DocumentRow).join(DocumentRow)
    query = query.where(JobRow.id == job_id, JobRow.state.in_(_LIVE))
    found = session.execute(query.with_for_update(skip_locked=True)).one_or_none()
    if found is None:
        return None
    job, document = found
    if job.attempts >= MAX_ATTEMPTS:
        _fail(session, str(job_id), _LOST)
        return None
    job.state, job.stage, job.done, job.total = JobState.RUNNING.value, "", 0, 0
    job.attempts += 1
    job.started_at = job.heartbeat_at = func.now()
    document.state, document.error = DocumentState.PROCESSING.value, ""
    session.flush()
    return ClaimedJob(
        job=job_of(job, document), document=document_of(document), connection=connection
    )


def _ended(state: JobState, error: str = "") -> dict[str, object]:
    """The columns of a job that ended."""
    return {"state": state.value, "error": error, "finished_at": func.now()}


def _fail(session: Session, job_id: str, error: str) -> None:
    """Fail a running job and its document."""
    reason = error.replace("\x00", "").strip() or "the reason is not known; see the worker's log"
    document = _update_running(session, job_id, _ended(JobState.FAILED, reason))
    values = {"state": DocumentState.FAILED.value, "error": reason}
    session.execute(update(DocumentRow).where(DocumentRow.id == document).values(values))


def _update_running(session: Session, job_id: str, values: dict[str, object]) -> int:
    """Change a running job; the internal id of its document.

    :raises UnknownName: the job does not run any more.
    """
    where = (JobRow.id == public_uuid(job_id), JobRow.state == JobState.RUNNING.value)
    query = update(JobRow).where(*where).values(values).returning(JobRow.document_id)
    document = session.scalar(query.execution_options(synchronize_session=False))
    if document is None:
        raise UnknownName("running job", job_id)
    return document
