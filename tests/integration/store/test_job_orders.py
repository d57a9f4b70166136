"""Jobs that are cancelled, tried again, or taken from a worker that stands still."""

from __future__ import annotations

import uuid
from contextlib import nullcontext

import pytest
from sqlalchemy import text

from docrag.api import Access, AccessDenied, DocumentError, DocumentNotFound, DuplicateDocument
from docrag.store import orders, runs, series
from docrag.store.records import DocumentState, Job, JobState
from docrag.store.runs import Run
from docrag.store.tables import DocumentRow, JobRow

from .conftest import ADMIN, Library

READER, STRANGER = Access.of(["ik"]), Access.of(["bilgi"])


def sql(library: Library, statement: str) -> None:
    """Run a statement behind the store's back."""
    with library.engine.begin() as connection:
        connection.execute(text(statement))


def failed(library: Library, data: bytes = b"dosya") -> tuple[str, Job]:
    """A document that failed, and its job."""
    document, job = library.queue(data=data)
    with library.store.jobs.claim_one(job.id) as claimed:
        assert claimed is not None
        library.store.jobs.fail(claimed.run, "bozuk")
    return document.id, job


def test_waiting_job_is_cancelled_at_once(library: Library) -> None:
    document, job = library.queue()
    assert library.store.jobs.cancel(job.id, access=ADMIN).state == JobState.CANCELLED
    seen = library.store.documents.get(document.id, access=ADMIN)
    assert seen.state == DocumentState.FAILED and "cancelled" in seen.error
    with library.store.jobs.claim() as claimed:
        assert claimed is None


def test_running_job_is_told_to_stop(library: Library) -> None:
    document, job = library.queue()
    jobs = library.store.jobs
    with jobs.claim() as claimed:
        assert claimed is not None
        assert jobs.cancel(job.id, access=ADMIN).cancel_requested
        assert not jobs.progress(claimed.run, stage="load", done=1, total=0)
        jobs.end_cancelled(claimed.run)
    assert jobs.get(job.id, access=ADMIN).state == JobState.CANCELLED
    assert "cancelled" in library.store.documents.get(document.id, access=ADMIN).error


def test_cancelled_job_of_a_dead_worker_does_not_run_again(library: Library) -> None:
    _, job = library.queue()
    with library.store.jobs.claim():
        library.store.jobs.cancel(job.id, access=ADMIN)
    with library.store.jobs.claim() as again:
        assert again is None
    assert library.store.jobs.get(job.id, access=ADMIN).state == JobState.CANCELLED


def test_cancelling_twice_changes_nothing(library: Library) -> None:
    _, job = library.queue()
    states = [library.store.jobs.cancel(job.id, access=ADMIN).state for _ in range(2)]
    assert states == [JobState.CANCELLED] * 2


def test_ended_job_is_not_cancelled(library: Library) -> None:
    _, job = failed(library)
    with pytest.raises(DocumentError, match="is failed; only one that waits or runs"):
        library.store.jobs.cancel(job.id, access=ADMIN)


@pytest.mark.parametrize(
    ("access", "error"), [(READER, AccessDenied), (STRANGER, DocumentNotFound)]
)
def test_orders_are_the_admins(library: Library, access: Access, error: type[Exception]) -> None:
    document_id, _ = failed(library)
    _, waiting = library.queue(data=b"x")
    library.store.roles.create("bilgi")
    with pytest.raises(error):
        library.store.jobs.retry(document_id, access=access)
    with pytest.raises(error):
        library.store.jobs.cancel(waiting.id, access=access)


def test_failed_document_is_queued_again(library: Library) -> None:
    document_id, old = failed(library)
    job = library.store.jobs.retry(document_id, access=ADMIN)
    assert (job.state, job.attempts) == (JobState.QUEUED, 0) and job.id != old.id
    seen = library.store.documents.get(document_id, access=ADMIN)
    assert (seen.state, seen.error) == (DocumentState.QUEUED, "")
    with library.store.jobs.claim() as claimed:
        assert claimed is not None and claimed.job.id == job.id


def test_document_that_has_not_failed_is_not_retried(library: Library) -> None:
    document = library.shelve("izin")
    with pytest.raises(DocumentError, match="is ready; only one that failed"):
        library.store.jobs.retry(document.id, access=ADMIN)


def test_file_that_was_stored_again_is_not_retried(library: Library) -> None:
    document_id, _ = failed(library)
    again, _ = library.queue()
    with pytest.raises(DuplicateDocument, match=again.id):
        library.store.jobs.retry(document_id, access=ADMIN)


def test_jobs_are_listed_as_one_may_read(library: Library) -> None:
    _, first = failed(library)
    _, second = library.queue(data=b"x")
    jobs = library.store.jobs
    assert [job.id for job in jobs.list(access=READER)] == [second.id, first.id]
    assert [job.id for job in jobs.list(access=ADMIN, live=True)] == [second.id]
    assert [job.id for job in jobs.list(access=ADMIN, most=1)] == [second.id]
    assert jobs.list(access=STRANGER) == []


def test_pause_doubles_until_the_job_fails(library: Library) -> None:
    document, job = library.queue()
    jobs, pauses = library.store.jobs, []
    for _ in range(9):
        sql(library, "UPDATE ingest_jobs SET run_after = now()")
        with jobs.claim() as claimed:
            assert claimed is not None
            pauses.append(jobs.retry_later(claimed.run, "sunucu yok", most=8))
    assert pauses == [10, 20, 40, 80, 160, 320, 600, 600, None]
    assert (jobs.get(job.id, access=ADMIN).error, jobs.get(job.id, access=ADMIN).attempts) == (
        "sunucu yok",
        9,
    )
    assert library.store.documents.get(document.id, access=ADMIN).state == DocumentState.FAILED


def test_job_waits_out_its_pause(library: Library) -> None:
    document, job = library.queue()
    with library.store.jobs.claim() as claimed:
        assert claimed is not None
        library.store.jobs.retry_later(claimed.run, "sunucu yok", most=5)
    with library.store.jobs.claim() as early, library.store.jobs.claim_one(job.id) as named:
        assert (early, named) == (None, None)
    seen = library.store.jobs.get(job.id, access=ADMIN)
    assert seen.run_after is not None and seen.error == "sunucu yok"
    assert library.store.documents.get(document.id, access=ADMIN).state == DocumentState.QUEUED


def test_further_tries_do_not_count_as_deaths(library: Library) -> None:
    library.queue()
    for _ in range(4):
        sql(library, "UPDATE ingest_jobs SET run_after = NULL")
        with library.store.jobs.claim() as claimed:
            assert claimed is not None
            library.store.jobs.retry_later(claimed.run, "sunucu yok", most=5)
    sql(library, "UPDATE ingest_jobs SET run_after = NULL")
    for _ in range(3):
        with library.store.jobs.claim() as claimed:
            assert claimed is not None
    with library.store.jobs.claim() as claimed:
        assert claimed is None


def test_job_that_stands_still_is_taken_over(library: Library) -> None:
    _, job = library.queue()
    with library.store.jobs.claim() as stuck:
        assert stuck is not None
        assert library.store.jobs.release_stalled(seconds=60) == []
        sql(library, "UPDATE ingest_jobs SET heartbeat_at = now() - interval '2 minutes'")
        assert library.store.jobs.release_stalled(seconds=60) == [job.id]
        with library.store.jobs.claim() as second:
            assert second is not None and second.job.attempts == 2
            assert not stuck.is_held()


@pytest.mark.parametrize("ends", ["cancelled", "failed", "queued again"])
def test_document_that_is_deleted_while_its_job_ends_is_deleted(
    library: Library, ends: str
) -> None:
    """Both take the job before the document, so neither is a deadlock's victim."""
    document, job = library.queue()
    store = library.store
    with store.jobs.claim_one(job.id) if ends != "cancelled" else nullcontext() as claimed:
        with store.jobs._sessions.begin() as session:
            row = session.get_one(JobRow, uuid.UUID(job.id), with_for_update=True)
            other = library.in_thread(lambda: store.documents.delete(document.id, access=ADMIN))
            library.wait_for_a_lock()
            if claimed is None:
                orders.cancel(session, row, session.get_one(DocumentRow, row.document_id))
            elif ends == "failed":
                runs.fail(session, claimed.run, "bozuk")
            else:
                runs.requeue(session, claimed.run, {})
        other.result(timeout=10)
    with pytest.raises(DocumentNotFound):
        store.jobs.get(job.id, access=ADMIN)


def test_document_that_is_deleted_while_it_is_filled_is_deleted(library: Library) -> None:
    document, job = library.queue()
    store = library.store
    with store.jobs.claim_one(job.id), store.jobs._sessions.begin() as session:
        series.hold(session, document.id)
        other = library.in_thread(lambda: store.documents.delete(document.id, access=ADMIN))
        library.wait_for_a_lock()
        runs.finish(session, Run(job_id=job.id))
    other.result(timeout=10)
    with pytest.raises(DocumentNotFound):
        store.documents.get(document.id, access=ADMIN)
