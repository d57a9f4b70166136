"""What administrators order of jobs: to be given up, and to be tried again."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docrag.api import DocumentError, DuplicateDocument
from docrag.store import runs, staged
from docrag.store.records import DocumentState, Job, JobState
from docrag.store.runs import job_of
from docrag.store.tables import DocumentRow, JobRow


def cancel(session: Session, job: JobRow, document: DocumentRow) -> None:
    """Cancel a job whose row the session has locked: now if it waits, else at its next report.

    :raises DocumentError: the job has ended.
    """
    if job.state == JobState.QUEUED.value:
        job.state, job.error, job.run_after = JobState.CANCELLED.value, "", None
        job.finished_at = func.now()
        runs.set_document(session, document.id, DocumentState.FAILED, runs.CANCELLED)
    elif job.state == JobState.RUNNING.value:
        job.cancel_requested = True
    elif job.state != JobState.CANCELLED.value:
        raise DocumentError(
            f"the job {job.id} is {job.state}; only one that waits or runs can be cancelled"
        )
    session.flush()


def retry(session: Session, document: DocumentRow) -> Job:
    """The new job of a failed document whose row the session has locked.

    :raises DocumentError: it has not failed.
    :raises DuplicateDocument: the same bytes were stored again meanwhile.
    """
    if document.state != DocumentState.FAILED.value:
        raise DocumentError(
            f"the document {document.public_id} is {document.state}; "
            "only one that failed can be retried"
        )
    same = (DocumentRow.sha256 == document.sha256, DocumentRow.state != DocumentState.FAILED.value)
    stored = session.scalar(select(DocumentRow.public_id).where(*same))
    if stored is not None:
        raise DuplicateDocument(str(stored), document.filename)
    runs.set_document(session, document.id, DocumentState.QUEUED, "")
    job = JobRow(document_id=document.id)
    staged.forget_refused(session, document.id)
    session.add(job)
    session.flush()
    session.refresh(job)
    return job_of(job, document)
