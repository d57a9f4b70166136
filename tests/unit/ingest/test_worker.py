"""What the worker makes of failures that are not the document's."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from docrag.api import DocragError, LoaderError, PluginNotFound, SettingsError
from docrag.ingest import worker as module
from docrag.ingest.retention import Retention
from docrag.ingest.worker import Worker
from docrag.store import ClaimedJob, Store

WRONG = [SettingsError("DOCRAG_CHUNKER is wrong"), PluginNotFound("embedders", "hashin", ["e5"])]


class Jobs:
    """An account of what became of the one job."""

    def __init__(self) -> None:
        self.ends: list[str] = []

    def put_back(self, job_id: str) -> None:
        self.ends.append("queued")

    def fail(self, job_id: str, error: str) -> None:
        self.ends.append(error)


def worker_of(jobs: Jobs, error: DocragError) -> Worker:
    """A worker whose pipeline cannot be built, or fails, with this error."""

    def pipeline() -> Any:  # noqa: ANN401 - it gives none
        raise error

    store = cast(Store, SimpleNamespace(jobs=jobs))
    retention = cast(Retention, SimpleNamespace(run_when_due=lambda: None))
    return Worker(store=store, pipeline=pipeline, retention=retention)


def claimed() -> ClaimedJob:
    job = SimpleNamespace(id="j", job=SimpleNamespace(id="j"), document=SimpleNamespace(id="d"))
    return cast(ClaimedJob, job)


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
    worker.work(stop=stop, poll=0.001)
    assert len(tries) == 1
    assert caplog.messages == ["the document waits: DOCRAG_CHUNKER is wrong"]
    assert module.MISTAKE_PAUSE >= 1
