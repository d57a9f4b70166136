"""Ingest jobs: one worker each, and found again when it dies."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from docrag.api import DocumentNotFound, StoreError, UnknownName
from docrag.ingest.worker import may_pass
from docrag.store import Store, make_engine
from docrag.store.claims import is_passing
from docrag.store.records import DocumentState, JobState
from docrag.store.runs import Run

from .conftest import ADMIN, Library

#: A worker that says what it claimed and then holds it for ever, or runs all there is.
WORKER = Path(__file__).with_name("worker_program.py")

Spawn = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def spawn(database_url: str) -> Iterator[Spawn]:
    """Start workers; those left over are killed."""
    started: list[subprocess.Popen[str]] = []

    def start(mode: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(WORKER), database_url, mode]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def claimed_again(store: Store, job_id: str) -> bool:
    """True once the job could be claimed; the server needs a moment to notice a death."""
    for _ in range(200):
        with store.jobs.claim_one(job_id) as claimed:
            if claimed is not None:
                return True
        time.sleep(0.02)
    return False


def test_nothing_to_do_is_none(store: Store) -> None:
    with store.jobs.claim() as claimed:
        assert claimed is None


def test_oldest_job_comes_first(library: Library) -> None:
    jobs = [library.queue(data=str(n).encode())[1].id for n in range(2)]
    with library.store.jobs.claim() as first, library.store.jobs.claim() as second:
        assert first is not None and second is not None
        assert [first.job.id, second.job.id] == jobs


def test_claim_marks_job_and_document(library: Library) -> None:
    document, job = library.queue()
    with library.store.jobs.claim() as claimed:
        assert claimed is not None and claimed.is_held()
        assert (claimed.job.state, claimed.job.attempts) == (JobState.RUNNING, 1)
        assert claimed.document.id == document.id
        seen = library.store.documents.get(document.id, access=ADMIN)
        assert seen.state == DocumentState.PROCESSING
    assert not claimed.is_held()
    assert library.store.jobs.get(job.id, access=ADMIN).state == JobState.RUNNING


def test_job_that_runs_is_nobody_elses(library: Library) -> None:
    _, job = library.queue()
    with (
        library.store.jobs.claim(),
        library.store.jobs.claim() as second,
        library.store.jobs.claim_one(job.id) as third,
    ):
        assert (second, third) == (None, None)


def test_progress_is_told(library: Library) -> None:
    _, job = library.queue()
    with library.store.jobs.claim():
        wanted = library.store.jobs.progress(Run(job_id=job.id), stage="embed", done=3, total=9)
    assert wanted
    seen = library.store.jobs.get(job.id, access=ADMIN)
    assert (seen.stage, seen.done, seen.total) == ("embed", 3, 9)


def test_finished_job_is_done(library: Library) -> None:
    _, job = library.queue()
    with library.store.jobs.claim():
        library.store.jobs.finish(Run(job_id=job.id))
    assert library.store.jobs.get(job.id, access=ADMIN).state == JobState.DONE
    with library.store.jobs.claim_one(job.id) as again:
        assert again is None


@pytest.mark.parametrize(("error", "stored"), [("şifreli", "şifreli"), ("a\x00b", "ab")])
def test_failed_job_fails_its_document(library: Library, error: str, stored: str) -> None:
    document, job = library.queue()
    with library.store.jobs.claim():
        library.store.jobs.fail(Run(job_id=job.id), error)
    seen = library.store.documents.get(document.id, access=ADMIN)
    assert (seen.state, seen.error) == (DocumentState.FAILED, stored)
    assert library.store.jobs.get(job.id, access=ADMIN).error == stored


def test_failure_without_a_reason_gets_one(library: Library) -> None:
    document, job = library.queue()
    with library.store.jobs.claim():
        library.store.jobs.fail(Run(job_id=job.id), "")
    assert library.store.documents.get(document.id, access=ADMIN).error


@pytest.mark.parametrize("act", ["progress", "finish", "put_back", "end_cancelled", "fail"])
def test_job_of_a_deleted_document_says_so(library: Library, act: str) -> None:
    document, job = library.queue()
    jobs, run = library.store.jobs, Run(job_id=job.id)
    with jobs.claim():
        library.store.documents.delete(document.id, access=ADMIN)
        with pytest.raises(UnknownName, match="running job"):
            if act == "progress":
                jobs.progress(run, stage="load", done=0, total=0)
            elif act in ("finish", "put_back", "end_cancelled"):
                getattr(jobs, act)(run)
            else:
                jobs.fail(run, "bozuk")


@pytest.mark.parametrize("job_id", ["yok", "", "00000000-0000-0000-0000-000000000000"])
def test_unknown_job_is_not_found(store: Store, job_id: str) -> None:
    with pytest.raises(DocumentNotFound):
        store.jobs.get(job_id, access=ADMIN)


def test_broken_off_job_is_claimed_again(library: Library) -> None:
    _, job = library.queue()
    with library.store.jobs.claim():
        pass
    with library.store.jobs.claim() as again:
        assert again is not None and again.job.attempts == 2
    assert again.job.id == job.id


def test_job_that_kills_its_workers_is_given_up(library: Library) -> None:
    document, job = library.queue()
    for _ in range(3):
        with library.store.jobs.claim() as claimed:
            assert claimed is not None
    with library.store.jobs.claim() as fourth:
        assert fourth is None
    seen = library.store.documents.get(document.id, access=ADMIN)
    assert seen.state == DocumentState.FAILED and "3 times" in seen.error
    assert library.store.jobs.get(job.id, access=ADMIN).state == JobState.FAILED


def test_next_job_is_claimed_after_one_is_given_up(library: Library) -> None:
    library.queue()
    _, second = library.queue(data=b"x")
    with library.engine.begin() as connection:
        connection.execute(
            text(
                "UPDATE ingest_jobs SET state = 'running', attempts = 3"
                " WHERE id = (SELECT id FROM ingest_jobs ORDER BY created_at LIMIT 1)"
            )
        )
    with library.store.jobs.claim() as claimed:
        assert claimed is not None and claimed.job.id == second.id


def test_killed_worker_frees_its_job(library: Library, spawn: Spawn) -> None:
    _, job = library.queue()
    worker = spawn("hold")
    assert first_line(worker) == job.id
    with library.store.jobs.claim_one(job.id) as claimed:
        assert claimed is None
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert claimed_again(library.store, job.id)


def test_workers_at_once_run_each_job_once(library: Library, spawn: Spawn) -> None:
    jobs = {library.queue(data=str(n).encode())[1].id for n in range(12)}
    workers = [spawn("run") for _ in range(2)]
    ran = [line for worker in workers for line in worker.communicate(timeout=60)[0].split()]
    assert sorted(ran) == sorted(jobs)


def test_lock_is_lost_with_its_connection(library: Library) -> None:
    library.queue()
    with library.store.jobs.claim() as claimed:
        assert claimed is not None
        with library.engine.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks"
                    " WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
                )
            )
        assert not claimed.is_held()


def test_claim_leaves_no_connection(database_url: str, library: Library) -> None:
    library.queue()
    engine = make_engine(database_url)
    with Store(engine).jobs.claim() as claimed:
        assert claimed is not None
    engine.dispose()
    with library.engine.connect() as connection:
        locks = connection.scalar(text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
    assert locks == 0


def test_job_that_is_put_back_waits_behind_the_others(library: Library) -> None:
    document, first = library.queue()
    _, second = library.queue(data=b"x")
    for _ in range(4):  # More often than a job may be started without an end.
        with library.store.jobs.claim_one(first.id) as claimed:
            assert claimed is not None
            library.store.jobs.put_back(Run(job_id=first.id))
    seen = library.store.documents.get(document.id, access=ADMIN)
    assert (seen.state, seen.error) == (DocumentState.QUEUED, "")
    with library.store.jobs.claim() as claimed:
        assert claimed is not None and claimed.job.id == second.id


def test_job_that_is_given_back_keeps_its_place(library: Library) -> None:
    document, first = library.queue()
    library.queue(data=b"x")
    for _ in range(4):  # More often than a job may be started without an end.
        with library.store.jobs.claim() as claimed:
            assert claimed is not None and claimed.job.id == first.id
            library.store.jobs.give_back(claimed.run)
    seen = library.store.documents.get(document.id, access=ADMIN)
    assert (seen.state, seen.error) == (DocumentState.QUEUED, "")


@pytest.mark.parametrize(("state", "passes"), [("40P01", True), ("40001", True), ("23505", False)])
def test_deadlock_may_pass(store: Store, state: str, passes: bool) -> None:
    raised = f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$"
    with pytest.raises(StoreError) as caught, store._sessions.begin() as session:
        session.execute(text(raised))
    assert is_passing(caught.value) is passes


def test_session_that_stood_still_in_a_transaction_may_pass(store: Store) -> None:
    with pytest.raises(StoreError) as caught, store._sessions.begin() as session:
        session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 20"))
        time.sleep(0.2)
        session.execute(text("SELECT 1"))
    assert may_pass(caught.value)
