"""What the worker makes of failures that are not the document's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

from docrag.api import (
    DocragError,
    EmbedderError,
    LoaderError,
    OcrUnavailable,
    PluginNotFound,
    SettingsError,
    StoreError,
)
from docrag.ingest import worker as module
from docrag.ingest.guard import Guard
from docrag.ingest.reports import CancelRequested
from docrag.ingest.retention import Retention
from docrag.ingest.worker import Worker
from docrag.settings import Settings
from docrag.store import ClaimedJob, Store
from docrag.store.records import Job, JobState
from docrag.store.runs import Run

WRONG = [SettingsError("DOCRAG_CHUNKER is wrong"), PluginNotFound("embedders", "hashin", ["e5"])]


class Jobs:
    """An account of what became of the one job."""

    def __init__(self) -> None:
        self.ends: list[str] = []

    def put_back(self, run: Run) -> None:
        self.ends.append("queued")

    def fail(self, run: Run, error: str) -> None:
        self.ends.append(error)

    def retry_later(self, run: Run, error: str, *, most: int) -> float:
        self.ends.append(f"later, at most {most} times")
        return 10.0

    @contextmanager
    def claim(self) -> Iterator[ClaimedJob]:
        yield claimed()

    def end_cancelled(self, run: Run) -> None:
        self.ends.append("cancelled")


def worker_of(jobs: Jobs, error: Exception, idle: Callable[[], bool] = lambda: False) -> Worker:
    """A worker whose pipeline cannot be built, or fails, with this error."""

    def pipeline() -> Any:  # noqa: ANN401 - it gives none
        raise error

    store = cast(Store, SimpleNamespace(jobs=jobs))
    return Worker(store=store, settings=Settings(), pipeline=pipeline, idle=idle)


def claimed() -> ClaimedJob:
    job = Job(
        id="j", document_id="d", state=JobState.RUNNING, stage="", done=0, total=0, attempts=1,
        error="",
    )  # fmt: skip
    run = Run(job_id="j", attempt=1)
    claim = SimpleNamespace(job=job, run=run, document=SimpleNamespace(id="d"))
    return cast(ClaimedJob, claim)


@pytest.mark.parametrize("error", WRONG)
def test_wrong_setting_fails_no_document(error: DocragError) -> None:
    jobs = Jobs()
    with pytest.raises(type(error)):
        worker_of(jobs, error).run(claimed())
    assert jobs.ends == ["queued"]


def test_broken_file_fails_its_document() -> None:
    jobs = Jobs()
    worker_of(jobs, LoaderError("no text")).run(claimed())
    assert jobs.ends == ["no text"]


@pytest.mark.parametrize("error", [EmbedderError("no server"), OcrUnavailable("no server")])
def test_failure_that_may_pass_is_tried_again(error: DocragError) -> None:
    jobs = Jobs()
    worker_of(jobs, error).run(claimed())
    assert jobs.ends == ["later, at most 5 times"]


def test_failure_that_may_pass_is_told_who_waits() -> None:
    jobs = Jobs()
    worker_of(jobs, EmbedderError("no server")).run(claimed(), patient=False)
    assert jobs.ends == [module.UNREACHABLE]


def test_refused_texts_are_not_tried_again() -> None:
    jobs = Jobs()
    worker_of(jobs, EmbedderError("all refused", indices=[0])).run(claimed())
    assert jobs.ends == [module.REFUSED]


@pytest.mark.parametrize("error", [EmbedderError, OcrUnavailable])
def test_readers_are_not_told_a_servers_address(
    error: type[DocragError], caplog: pytest.LogCaptureFixture
) -> None:
    jobs = Jobs()
    worker_of(jobs, error("http://ic-sunucu.local:9 refused")).run(claimed(), patient=False)
    assert "ic-sunucu" not in jobs.ends[0]
    assert "ic-sunucu" in caplog.text


@pytest.mark.parametrize("error", WRONG)
def test_wrong_setting_leaves_its_turn_to_the_idle_work(error: DocragError) -> None:
    jobs, steps = Jobs(), iter([True, True, False])
    worker = worker_of(jobs, error, idle=lambda: next(steps, False))
    assert (worker.work_once(), worker.work_once()) == (True, True)
    assert jobs.ends == ["queued"]
    with pytest.raises(type(error)):
        worker.work_once()


def test_refusal_of_the_database_ends_no_worker(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop, worker = threading.Event(), worker_of(Jobs(), WRONG[0])

    def once() -> bool:
        threading.Timer(0.1, stop.set).start()
        raise StoreError("the database refused the change")

    monkeypatch.setattr(worker, "work_once", once)
    monkeypatch.setattr(Retention, "run_when_due", lambda _: None)
    worker.work(stop=stop, poll=0.001)
    assert "the database refused the change" in caplog.text


def test_cancelled_run_ends_cancelled() -> None:
    jobs = Jobs()
    worker_of(jobs, CancelRequested()).run(claimed())
    assert jobs.ends == ["cancelled"]


def test_worker_waits_when_a_setting_is_wrong(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop, tries = threading.Event(), []
    worker = worker_of(Jobs(), WRONG[0])

    def once() -> bool:
        tries.append(1)
        threading.Timer(0.1, stop.set).start()
        raise WRONG[0]

    monkeypatch.setattr(worker, "work_once", once)
    monkeypatch.setattr(Retention, "run_when_due", lambda _: None)
    worker.work(stop=stop, poll=0.001)
    assert len(tries) == 1
    assert caplog.messages == ["the document waits: DOCRAG_CHUNKER is wrong"]
    assert module.MISTAKE_PAUSE >= 1


@pytest.mark.parametrize(("released", "ends"), [(["j"], 1), (["other"], 0)])
def test_worker_is_told_when_its_own_job_is_stuck(
    monkeypatch: pytest.MonkeyPatch, released: list[str], ends: int
) -> None:
    stop, told, worker = threading.Event(), list[str](), worker_of(Jobs(), WRONG[0])

    @contextmanager
    def watching(_: Guard, stuck: Callable[[list[str]], None]) -> Iterator[None]:
        monkeypatch.setattr(worker, "_current", "j")
        stuck(released)
        stop.set()
        yield

    monkeypatch.setattr(Guard, "watching", watching)
    worker.work(stop=stop, poll=0.001, stuck=lambda: told.append("end"))
    assert len(told) == ends
