"""What a run tells the store, and when it is told to stop."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import cast

import pytest

from docrag.ingest import reports as module
from docrag.ingest.reports import CancelRequested, Reports, StopRequested
from docrag.store import ClaimedJob, Store
from docrag.store.records import Job, JobState
from docrag.store.runs import Run

JOB = Job(
    id="j", document_id="d", state=JobState.RUNNING, stage="", done=0, total=0, attempts=1, error=""
)


class Progress:
    """The store's side."""

    def __init__(self, *, wanted: bool = True) -> None:
        self.told: list[tuple[str, int, int]] = []
        self._wanted = wanted

    def progress(self, run: Run, *, stage: str, done: int, total: int) -> bool:
        self.told.append((stage, done, total))
        return self._wanted


def reports(
    jobs: Progress, heard: list[Job] | None = None, stop: threading.Event | None = None
) -> Reports:
    """Of the one job."""
    claimed = cast(ClaimedJob, SimpleNamespace(job=JOB, run=Run(job_id="j", attempt=1)))
    store = cast(Store, SimpleNamespace(jobs=jobs))
    return Reports(store, claimed, listen=None if heard is None else heard.append, stop=stop)


def test_stage_begins_with_a_report_and_is_spared_many() -> None:
    jobs, heard = Progress(), list[Job]()
    report = reports(jobs, heard)
    for done in range(5):
        report("load", done, 5)
    report("chunk", 0, 0)
    assert jobs.told == [("load", 0, 5), ("chunk", 0, 0)]
    assert [job.done for job in heard] == [0, 1, 2, 3, 4, 0]


def test_report_is_made_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.0)
    jobs = Progress()
    report = reports(jobs)
    report("load", 1, 0)
    report("load", 2, 0)
    assert jobs.told == [("load", 1, 0), ("load", 2, 0)]


def test_cancelled_run_is_told() -> None:
    with pytest.raises(CancelRequested):
        reports(Progress(wanted=False))("load", 1, 0)


def test_stopped_worker_breaks_off_at_any_report() -> None:
    stop = threading.Event()
    report = reports(Progress(), stop=stop)
    report("load", 1, 0)
    stop.set()
    with pytest.raises(StopRequested):
        report("load", 2, 0)


def test_end_is_told_to_the_listener_only() -> None:
    jobs, heard = Progress(), list[Job]()
    report = reports(jobs, heard)
    report("index", 0, 7)
    report.ended()
    assert (heard[-1].done, len(jobs.told)) == (7, 1)
