"""A document that is cancelled, left or delayed in the middle, and read to its end later."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import Access, EmbedderError
from docrag.chunkers.fixed import FixedChunker
from docrag.embedders.hashing import HashingEmbedder
from docrag.ingest import embedding, reports
from docrag.ingest.pipeline import Pipeline
from docrag.ingest.worker import UNREACHABLE, Worker
from docrag.loaders.txt import TextLoader
from docrag.settings import Settings
from docrag.store import Store
from docrag.store.records import DocumentState, Job, JobState
from docrag.testing.slow import SlowEmbedder

ADMIN = Access.of(["admin"])
TEXT = "\n\n".join(
    f"{number}. kural: Iğdır şubesi {number * 7} gün bekler. " * 20 for number in range(40)
)


class Desk:
    """A worker over one queued document, and what is done at each batch."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.texts: list[str] = []
        self.at: dict[int, object] = {}
        self._batches = 0
        store.roles.create("isg")
        _, self.job = store.documents.create(
            filename="kural.txt", title="Kural", suffix="txt", data=TEXT.encode(), roles=["isg"],
            uploaded_by=None,
        )  # fmt: skip
        embedder = SlowEmbedder(HashingEmbedder(dim=16), seconds=0.0, listen=self._listen)
        pipeline = Pipeline(
            store=store, loader=lambda _: TextLoader(), suffixes=["txt"], chunker=FixedChunker(),
            embedder=embedder, batch=4, most_chunks=999,
        )  # fmt: skip
        self.worker = Worker(store=store, settings=Settings(), pipeline=lambda: pipeline)

    def _listen(self, texts: Sequence[str]) -> None:
        self._batches += 1
        act = self.at.pop(self._batches, None)
        if callable(act):
            act()
        self.texts += texts

    def now(self) -> Job:
        """The newest job."""
        return self.store.jobs.list(access=ADMIN)[0]

    def check_whole(self) -> None:
        """The document is searchable, and nothing was embedded twice."""
        (document,) = self.store.documents.list(access=ADMIN)
        assert document.state == DocumentState.READY
        assert len(set(self.texts)) == document.chunks
        assert len(self.texts) <= document.chunks + 4


@pytest.fixture
def desk(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A queued document; the store is told of every report, and keeps every batch."""
    monkeypatch.setattr(reports, "PAUSE", 0.0)
    monkeypatch.setattr(embedding, "WORTH", 0.0)
    yield Desk(store)


def test_cancelled_document_stops_and_is_retried(desk: Desk) -> None:
    desk.at[3] = lambda: desk.store.jobs.cancel(desk.job.id, access=ADMIN)
    desk.worker.work_once()
    assert (desk.now().state, desk.now().stage) == (JobState.CANCELLED, "embed")
    (document,) = desk.store.documents.list(access=ADMIN)
    assert (document.state, document.chunks) == (DocumentState.FAILED, 0)
    desk.store.jobs.retry(document.id, access=ADMIN)
    desk.worker.work_once()
    desk.check_whole()


def test_stopped_worker_leaves_the_document_to_the_next(desk: Desk) -> None:
    stop = threading.Event()
    desk.at[3] = stop.set
    desk.worker.work(stop=stop, poll=0.01)
    assert (desk.now().state, desk.now().attempts) == (JobState.QUEUED, 0)
    desk.worker.work_once()
    desk.check_whole()


def test_embedder_that_goes_away_is_tried_again(desk: Desk) -> None:
    def away() -> None:
        raise EmbedderError("the embedding server cannot be reached")

    desk.at[3] = away
    desk.worker.work_once()
    waiting = desk.now()
    assert (waiting.state, waiting.error) == (JobState.QUEUED, UNREACHABLE)
    assert not desk.worker.work_once()
    with desk.store._sessions.begin() as session:
        session.connection().exec_driver_sql("UPDATE ingest_jobs SET run_after = now()")
    desk.worker.work_once()
    desk.check_whole()


def test_deleted_document_stops_its_run(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    (document,) = desk.store.documents.list(access=ADMIN)
    desk.at[3] = lambda: desk.store.documents.delete(document.id, access=ADMIN)
    with caplog.at_level("INFO"):
        desk.worker.work_once()
    assert "deleted" in caplog.text and len(desk.texts) == 12
