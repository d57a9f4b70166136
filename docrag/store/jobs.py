"""Ingest jobs: claimed by one worker at a time, and found again when it dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Select, func, select

from docrag.api import ADMIN_ROLE, Access, AccessDenied, DocumentNotFound
from docrag.store import orders, runs
from docrag.store.claims import ClaimedJob, close, due, first_free, release_stalled
from docrag.store.permission import permits, permitted_document, public_uuid
from docrag.store.records import Job, JobState
from docrag.store.runs import Run, job_of
from docrag.store.sessions import Sessions, database_errors
from docrag.store.tables import DocumentRow, JobRow

#: Jobs looked at for one claim, oldest first; more than there will be workers.
CANDIDATES: Final = 1_000
#: Pause before a further try, seconds: doubled each time, up to the longest.
FIRST_PAUSE: Final = 10
LONGEST_PAUSE: Final = 600

#: Number that no document has; they count from 1.
_NO_DOCUMENT: Final = 0


class Jobs:
    """Hands out ingest jobs and keeps account of them.

    What a run changes it may change as long as it is the one that runs: with the number of its try
    (:class:`docrag.store.runs.Run`), one that was taken for dead and comes back changes nothing.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @contextmanager
    def claim(self) -> Iterator[ClaimedJob | None]:
        """The oldest job that waits, or whose worker is gone; ``None`` if there is nothing to do.

        The job is ours inside the ``with`` block, however long that takes::

            with store.jobs.claim() as claimed:
                if claimed is not None:
                    run(claimed.job, claimed.document)
                    store.jobs.finish(claimed.run)

        Its lock is a session-level advisory lock on a connection of its own, taken before the claim
        is committed. The server frees it when that connection ends, also by ``kill -9``, and then
        the job can be claimed again; so can one that was neither finished nor failed in the block.
        A pooler between worker and server must pool sessions, not transactions.

        A job that has lost three workers is failed instead, with its document; one that was to be
        cancelled is cancelled.

        :raises StoreUnavailable: the database cannot be reached.
        """
        query = select(JobRow.id).where(due())
        query = query.order_by(JobRow.created_at, JobRow.id).limit(CANDIDATES)
        with self._claim(query) as claimed:
            yield claimed

    @contextmanager
    def claim_one(self, job_id: str) -> Iterator[ClaimedJob | None]:
        """This job, to be run now; ``None`` if another process runs it, it waits, or has ended.

        Otherwise like :meth:`claim`.

        :raises StoreUnavailable: the database cannot be reached.
        """
        where = (JobRow.id == public_uuid(job_id), due())
        with self._claim(select(JobRow.id).where(*where)) as claimed:
            yield claimed

    def progress(self, run: Run, *, stage: str, done: int, total: int) -> bool:
        """Note how far a running job is, which is its sign of life.

        :param done: units finished of the stage (pages or chunks), out of ``total``.
        :returns: false if somebody wants it to be cancelled: stop, and :meth:`end_cancelled`.
        :raises UnknownName: the run is over, for one because its document was deleted: stop.
        """
        with self._sessions.single() as connection:
            return not runs.note(connection, run, stage=stage, done=done, total=total)

    def finish(self, run: Run) -> None:
        """Note that a running job did its work, where ``documents.add`` did not note it.

        :raises UnknownName: the run is over.
        """
        with self._sessions.begin() as session:
            runs.finish(session, run)

    def fail(self, run: Run, error: str) -> None:
        """Note that a running job and its document failed, in one transaction.

        :param error: why, for people; no text of the document.
        :raises UnknownName: the run is over.
        """
        with self._sessions.begin() as session:
            runs.fail(session, run, error)

    def end_cancelled(self, run: Run) -> None:
        """Note that a running job stopped because it was to be cancelled; its document has failed.

        :raises UnknownName: the run is over.
        """
        with self._sessions.begin() as session:
            runs.fail(session, run, runs.CANCELLED, state=JobState.CANCELLED)

    def put_back(self, run: Run) -> None:
        """Queue a running job again, behind the others, as if it had not been started.

        :raises UnknownName: the run is over.
        """
        values = {"created_at": func.now(), "attempts": JobRow.attempts - 1}
        with self._sessions.begin() as session:
            runs.requeue(session, run, values)

    def give_back(self, run: Run) -> None:
        """Queue a running job again at its place, as if it had not been started.

        :raises UnknownName: the run is over.
        """
        with self._sessions.begin() as session:
            runs.requeue(session, run, {"attempts": JobRow.attempts - 1})

    def retry_later(self, run: Run, error: str, *, most: int) -> float | None:
        """Queue a running job for a further try, later each time: 10 s, 20 s … up to 10 minutes.

        :param error: what went wrong and may pass, for people.
        :param most: further tries; after these the job is failed.
        :returns: the pause, seconds; ``None`` if it was failed.
        :raises UnknownName: the run is over.
        """
        with self._sessions.begin() as session:
            job = runs.update_running(session, run, {"retries": JobRow.retries + 1})
            if job.retries > most:
                runs.fail(session, run, error)
                return None
            pause = min(FIRST_PAUSE * 2.0 ** (job.retries - 1), LONGEST_PAUSE)
            after = func.now() + func.make_interval(0, 0, 0, 0, 0, 0, pause)
            values = {"run_after": after, "error": runs.reason_of(error)}
            runs.requeue(session, run, values)
            return pause

    def release_stalled(self, *, seconds: float) -> list[str]:
        """Take running jobs from workers that hold them without a sign of life.

        :param seconds: age of the last report of progress.
        :returns: ids of the jobs; any worker can claim them now.
        """
        with self._sessions.begin() as session:
            return release_stalled(session, seconds=seconds)

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

    def list(self, *, access: Access, live: bool = False, most: int = 100) -> list[Job]:
        """Jobs of the documents that the access may read, newest first.

        :param live: only those that wait or run.
        :param most: at most this many.
        """
        query = select(JobRow, DocumentRow).join(DocumentRow).where(permits(access))
        if live:
            query = query.where(JobRow.state.in_([JobState.QUEUED, JobState.RUNNING]))
        query = query.order_by(JobRow.created_at.desc(), JobRow.id).limit(most)
        with self._sessions.begin(access=access) as session:
            return [job_of(job, document) for job, document in session.execute(query)]

    def cancel(self, job_id: str, *, access: Access) -> Job:
        """Cancel a job: at once if it waits, else its worker stops at its next report.

        :returns: the job as it is now; one that was cancelled before stays so.
        :raises DocumentNotFound: job or document is hidden or missing.
        :raises AccessDenied: the access may read the document but is not admin's.
        :raises DocumentError: the job has ended.
        """
        self.get(job_id, access=access)
        _require_admin(access)
        query = select(JobRow, DocumentRow).join(DocumentRow)
        query = query.where(JobRow.id == public_uuid(job_id)).with_for_update(of=JobRow)
        with self._sessions.begin() as session:
            found = session.execute(query).one_or_none()
            if found is None:
                raise DocumentNotFound(job_id)
            orders.cancel(session, *found)
            session.refresh(found[0])
            return job_of(*found)

    def retry(self, document_id: str, *, access: Access) -> Job:
        """A new job for a document that failed, whose texts are all tried again.

        What its last run has read and embedded is used again.

        :raises DocumentNotFound: hidden, missing or malformed alike.
        :raises AccessDenied: the access may read it but is not admin's.
        :raises DocumentError: it has not failed.
        :raises DuplicateDocument: the same bytes were stored again meanwhile.
        """
        with self._sessions.begin(access=access) as session:
            permitted_document(session, document_id, access)
        _require_admin(access)
        where = DocumentRow.public_id == public_uuid(document_id)
        with self._sessions.begin() as session:
            document = session.scalar(select(DocumentRow).where(where).with_for_update())
            if document is None:
                raise DocumentNotFound(document_id)
            return orders.retry(session, document)

    @contextmanager
    def _claim(self, candidates: Select[Any]) -> Iterator[ClaimedJob | None]:
        """The first of the candidates that nobody runs, for as long as the block takes."""
        with self._lock_connection() as connection:
            with database_errors(self._sessions.engine):
                claimed = first_free(connection, candidates)
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


def _require_admin(access: Access) -> None:
    """:raises AccessDenied: it is another access than admin's."""
    if not access.is_admin:
        raise AccessDenied(f"only the {ADMIN_ROLE!r} role may change a job")
