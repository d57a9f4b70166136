"""What runs under way keep, and when it goes away."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import text

from docrag.api import Chunk, DocumentNotFound, Page, UnknownName
from docrag.store.records import DocumentState, JobState
from docrag.store.runs import Run
from docrag.store.staged import StagedVector

from .conftest import ADMIN, DIM, Library, spread

MISSING = "00000000-0000-0000-0000-000000000000"


def quiet(done: int, total: int) -> None:
    """Nobody listens."""


def left(library: Library) -> tuple[int, int]:
    """Records and vectors that are kept."""
    with library.engine.connect() as connection:
        counts = (
            "SELECT (SELECT count(*) FROM ingest_records), (SELECT count(*) FROM ingest_vectors)"
        )
        records, vectors = connection.execute(text(counts)).one()
    return records, vectors


def vector(words: str, *, refused: bool = False) -> StagedVector:
    digest = words.encode().ljust(32, b".")
    return StagedVector(digest=digest, vector=None if refused else spread(words), too_long=refused)


def space_id(library: Library, model: str = "spread") -> int:
    return library.store.spaces.ensure(model_id=model, dim=DIM, chunking="one").id


def test_records_are_read_in_order(library: Library) -> None:
    document, _ = library.queue()
    first = library.store.staged.checkpoint(document.id, key="a", report=quiet)
    assert first.records() == []
    first.keep([{"text": "ığ"}, {"text": "şü"}])
    first.keep([{"text": "\u0069\u0307"}])
    again = library.store.staged.checkpoint(document.id, key="a", report=quiet)
    assert [record["text"] for record in again.records()] == ["ığ", "şü", "\u0069\u0307"]


@pytest.mark.parametrize("value", ["Ün\x00verstes", "yarım \ud83d çift", '{"json": "\\u0000"}'])
def test_broken_text_is_kept_as_it_is(library: Library, value: str) -> None:
    document, _ = library.queue()
    record = {"text": value, "of": "3"}
    library.store.staged.checkpoint(document.id, key="a", report=quiet).keep([record])
    again = library.store.staged.checkpoint(document.id, key="a", report=quiet)
    assert again.records() == [record]


def test_second_run_goes_on_behind_the_first(library: Library) -> None:
    document, _ = library.queue()
    for word in ("bir", "iki"):
        library.store.staged.checkpoint(document.id, key="a", report=quiet).keep([{"text": word}])
    kept = library.store.staged.checkpoint(document.id, key="a", report=quiet).records()
    assert kept == [{"text": "bir"}, {"text": "iki"}]


def test_records_of_another_file_are_thrown_away(library: Library) -> None:
    document, _ = library.queue()
    library.store.staged.checkpoint(document.id, key="old", report=quiet).keep([{"text": "eski"}])
    assert library.store.staged.checkpoint(document.id, key="new", report=quiet).records() == []
    assert library.store.staged.checkpoint(document.id, key="old", report=quiet).records() == []


def test_overtaken_run_changes_no_record(library: Library) -> None:
    document, _ = library.queue()
    slow = library.store.staged.checkpoint(document.id, key="a", report=quiet)
    slow.records()
    library.store.staged.checkpoint(document.id, key="a", report=quiet).keep([{"text": "yeni"}])
    slow.keep([{"text": "geç"}])
    kept = library.store.staged.checkpoint(document.id, key="a", report=quiet).records()
    assert kept == [{"text": "yeni"}]


def test_kept_pages_are_reported(library: Library) -> None:
    document, _ = library.queue()
    told: list[tuple[int, int]] = []
    kept = library.store.staged.checkpoint(
        document.id, key="a", report=lambda done, total: told.append((done, total))
    )
    kept.keep([{"of": "9"}, {"of": "9"}])
    kept.keep([{"text": "x"}])
    assert told == [(0, 0), (2, 9), (3, 0)]


def test_checkpoint_of_a_deleted_document_says_so(library: Library) -> None:
    with pytest.raises(DocumentNotFound):
        library.store.staged.checkpoint(MISSING, key="a", report=quiet).records()


def test_vectors_come_back_as_the_search_has_them(library: Library) -> None:
    document, _ = library.queue()
    kept = [vector("izin"), vector("uzun", refused=True)]
    library.store.staged.keep_vectors(document.id, space_id=space_id(library), vectors=kept)
    found = library.store.staged.vectors(document.id, space_id=space_id(library))
    assert found.keys() == {item.digest for item in kept}
    half = found[kept[0].digest].vector
    assert half is not None and half.dtype == np.float32
    assert np.array_equal(half, spread("izin").astype(np.float16).astype(np.float32))
    assert found[kept[1].digest] == kept[1]


def test_vectors_of_a_deleted_document_are_not_kept(library: Library) -> None:
    library.store.staged.keep_vectors(MISSING, space_id=space_id(library), vectors=[vector("x")])
    assert left(library) == (0, 0)


def test_ready_document_keeps_nothing(library: Library) -> None:
    document, _ = library.queue()
    staged = library.store.staged
    staged.checkpoint(document.id, key="a", report=quiet).keep([{"text": "bir"}])
    staged.keep_vectors(document.id, space_id=space_id(library), vectors=[vector("bir")])
    library.fill(document.id, "bir")
    assert left(library) == (0, 0)


def test_vectors_of_a_space_to_come_stay(library: Library) -> None:
    library.shelve("önce")
    document, _ = library.queue()
    coming = space_id(library, "next")
    library.store.staged.keep_vectors(document.id, space_id=coming, vectors=[vector("bir")])
    library.fill(document.id, "bir")
    assert left(library) == (0, 1)


@pytest.mark.parametrize("act", ["clear", "delete"])
def test_nothing_stays_behind(library: Library, act: str) -> None:
    document, _ = library.queue()
    staged = library.store.staged
    staged.checkpoint(document.id, key="a", report=quiet).keep([{"text": "x"}])
    staged.keep_vectors(document.id, space_id=space_id(library), vectors=[vector("x")])
    if act == "clear":
        staged.clear(document.id)
    else:
        library.store.documents.delete(document.id, access=ADMIN)
    assert left(library) == (0, 0)


def add(library: Library, document_id: str, run: Run) -> None:
    """Make the document ready, as that run."""
    library.store.documents.add(
        document_id,
        pages=[Page(number=1, text="metin")],
        chunks=[Chunk(ordinal=0, text="metin", page_first=1, page_last=1)],
        vectors=None,
        space_id=None,
        terms=[["metin"]],
        warnings=[],
        run=run,
    )


def test_run_is_done_with_its_document(library: Library) -> None:
    document, job = library.queue()
    with library.store.jobs.claim() as claimed:
        assert claimed is not None
        add(library, document.id, claimed.run)
    assert library.store.jobs.get(job.id, access=ADMIN).state == JobState.DONE


def test_overtaken_run_writes_nothing(library: Library) -> None:
    document, _ = library.queue()
    with library.store.jobs.claim() as first:
        assert first is not None
    with library.store.jobs.claim() as second:
        assert second is not None
        with pytest.raises(UnknownName, match="running job"):
            add(library, document.id, first.run)
        with pytest.raises(UnknownName, match="running job"):
            library.store.jobs.progress(first.run, stage="load", done=1, total=2)
        seen = library.store.documents.get(document.id, access=ADMIN)
        assert (seen.state, seen.chunks) == (DocumentState.PROCESSING, 0)
