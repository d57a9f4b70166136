"""What the pipeline asks of loaders so that a run can be broken off and go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from docrag.api import Checkpoint, Page
from docrag.chunkers.fixed import FixedChunker
from docrag.ingest.pipeline import Pipeline
from docrag.ingest.reports import CancelRequested
from docrag.store import Store


class Paged:
    """A loader of three pages; knows whether it was closed."""

    def __init__(self) -> None:
        self.given: Checkpoint | None = None
        self.closed = False

    def load(
        self, data: bytes, *, filename: str, checkpoint: Checkpoint | None = None
    ) -> Iterator[Page]:
        self.given = checkpoint
        try:
            for number in (1, 2, 3):
                yield Page(number=number, text=f"sayfa {number}", warning="soluk")
        finally:
            self.closed = True


def run(loader: object, report: Callable[[str, int, int], None], data: bytes = b"metin") -> Any:  # noqa: ANN401 - fakes
    """Keys of checkpoints that were asked for, and what was stored."""
    keys: list[str] = []
    kept: dict[str, Any] = {"keys": keys}

    def checkpoint(document_id: str, *, key: str, report: object) -> object:
        keys.append(key)
        return object()

    store = SimpleNamespace(
        documents=SimpleNamespace(file=lambda _: data, add=lambda _, **parts: kept.update(parts)),
        staged=SimpleNamespace(checkpoint=checkpoint),
        spaces=SimpleNamespace(active=lambda: None),
    )
    pipeline = Pipeline(
        store=cast(Store, store),
        loader=lambda suffix: cast(Any, loader),
        suffixes=["txt"],
        chunker=FixedChunker(),
        embedder=None,
        batch=8,
        most_chunks=9,
    )
    pipeline.run(cast(Any, SimpleNamespace(id="1", filename="a.txt", title="B")), report)
    return kept


def quiet(stage: str, done: int, total: int) -> None:
    """Nobody listens."""


def test_loader_that_takes_a_checkpoint_gets_one() -> None:
    loader = Paged()
    assert len(run(loader, quiet)["keys"]) == 1 and loader.given is not None


def test_loader_without_a_checkpoint_gets_none() -> None:
    plain = SimpleNamespace(load=lambda data, filename: [Page(number=None, text="metin")])
    assert run(plain, quiet)["keys"] == []


def test_key_changes_with_file_and_reader() -> None:
    other = Paged()
    other.fingerprint = "ocr=none"  # type: ignore[attr-defined]  # an attribute of its own
    keys = [run(Paged(), quiet), run(Paged(), quiet, b"yeni metin"), run(other, quiet)]
    again = run(Paged(), quiet)
    assert len({kept["keys"][0] for kept in keys}) == 3
    assert again["keys"] == keys[0]["keys"]


def test_cancelled_run_closes_its_loader_at_once() -> None:
    loader, seen = Paged(), []

    def report(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("load", 2):
            raise CancelRequested

    with pytest.raises(CancelRequested) as raised:
        run(loader, report)
    seen.append(raised.value)
    assert loader.closed


def test_warning_names_its_page() -> None:
    assert run(Paged(), quiet)["warnings"] == [f"page {number}: soluk" for number in (1, 2, 3)]


def test_stages_are_told_in_order() -> None:
    stages: list[str] = []
    run(Paged(), lambda stage, done, total: stages.append(stage))
    assert list(dict.fromkeys(stages)) == ["detect", "load", "chunk", "index"]
