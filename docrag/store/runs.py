"""Runs of the ingest pipeline as records, and which document they belong to."""

from __future__ import annotations

from docrag.store.records import Job, JobState
from docrag.store.tables import DocumentRow, JobRow


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
    )
