"""What the pipeline bounds before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from docrag.api import Chunk, DocumentError, Page
from docrag.ingest.pipeline import Pipeline
from docrag.store import Store


class Endless:
    """A chunker that never ends, and counts what was taken."""

    fingerprint = "endless"

    def __init__(self) -> None:
        self.cut = 0

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """One chunk after the other."""
        while True:
            yield Chunk(ordinal=self.cut, text="ışık", page_first=None, page_last=None)
            self.cut += 1


class OneChunk:
    """A chunker that makes one chunk of each page."""

    fingerprint = "one"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """The pages."""
        for ordinal, page in enumerate(pages):
            yield Chunk(
                ordinal=ordinal, text=page.text, page_first=None, page_last=None,
                section=page.section,
            )  # fmt: skip


def run(chunker: Any, *, pages: list[Page] | None = None, most: int = 5) -> dict[str, Any]:  # noqa: ANN401 - fakes
    """What is handed to the store for a text file."""
    kept: dict[str, Any] = {}
    documents = SimpleNamespace(file=lambda _: b"metin", add=lambda _, **parts: kept.update(parts))
    found = pages or [Page(number=None, text="metin")]
    pipeline = Pipeline(
        store=cast(Store, SimpleNamespace(documents=documents)),
        loader=lambda suffix: SimpleNamespace(load=lambda data, filename: found),
        suffixes=["txt"],
        chunker=chunker,
        embedder=None,
        batch=8,
        most_chunks=most,
    )
    document: Any = SimpleNamespace(id="1", filename="a.txt", title="Başlık")
    pipeline.run(document, lambda *_: None)
    return kept


def test_too_many_chunks_are_refused_early() -> None:
    chunker = Endless()
    with pytest.raises(DocumentError, match="more text than 5 chunks.*DOCRAG_DOCUMENT_CHUNKS"):
        run(chunker)
    assert chunker.cut == 5


def test_as_many_chunks_as_allowed_are_taken() -> None:
    pages = [Page(number=None, text="ışık") for _ in range(5)]
    assert len(run(OneChunk(), pages=pages)["chunks"]) == 5


def test_equal_terms_are_kept_once() -> None:
    pages = [Page(number=None, text="Isparta gülü ISPARTA"), Page(number=None, text="ısparta")]
    terms = run(OneChunk(), pages=pages)["terms"]
    assert len({id(term) for bag in terms for term in bag}) == 3  # with the title's


def test_section_is_one_short_line() -> None:
    pages = [Page(number=None, text="metin", section="Başlık\n\u202e" + "ş" * 400)]
    (page,) = run(OneChunk(), pages=pages)["pages"]
    assert (len(page.section), page.section[:8], page.section[-1]) == (300, "Başlık ş", "…")
