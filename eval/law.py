"""Questions as employees ask them, over a real law: is the right page among the first five?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from sqlalchemy.engine import URL

from docrag.api import Access
from docrag.chunkers.auto import AutoChunker
from docrag.ingest.pipeline import Pipeline
from docrag.loaders.pdf import PdfLoader
from docrag.retrievers.hybrid import HybridRetriever
from eval import runs
from eval.database import database
from eval.searching import DEPTH, OVERLAP, ROLE, embedder, opened

#: The runs of this part, and the size of a chunk, characters.
NAME, SIZE = "law6331-1000-plain-hybrid", 1_000
QRELS: Final = "law6331-1000-qrels"
#: Most pages that a chunk has parts on.
LONGEST: Final = 3


def write(server: URL, data: Path) -> None:
    """Run and qrels of the answerable questions; what is found is a chunk, told by its pages.

    A chunk that runs over the end of a page takes one place, as in the product, where an answer is
    given from the first chunks and from all their pages.
    """
    questions = _questions(data)
    runs.write(
        QRELS,
        (
            {"question": q["id"], "relevant": [of for page in q["page"] for of in _spans(page)]}
            for q in questions
        ),
    )
    vectors = embedder()
    with database(server) as address, opened(address) as (_, store):
        store.roles.create(ROLE)
        document, _ = store.documents.create(
            filename="kanun_6331.pdf",
            title="kanun_6331",
            suffix="pdf",
            data=(data / "docs" / "tr" / "kanun_6331.pdf").read_bytes(),
            roles=[ROLE],
            uploaded_by=None,
        )
        Pipeline(
            store=store,
            loader=lambda _: PdfLoader(),
            suffixes=["pdf"],
            chunker=AutoChunker(size=SIZE, overlap=OVERLAP),
            embedder=vectors,
            batch=8,
            most_chunks=20_000,
        ).run(document, lambda *_: None)
        retriever = HybridRetriever(store=store.chunks, embedder=vectors)
        runs.write(NAME, (_line(retriever, question) for question in questions))


def _line(retriever: HybridRetriever, question: dict[str, Any]) -> dict[str, Any]:
    found = retriever.retrieve(question["question"], access=Access.of([ROLE]), k=DEPTH)
    return {
        "question": question["id"],
        "chunks": [_pages(hit.chunk.page_first, hit.chunk.page_last) for hit in found],
        "scores": [round(hit.score, 6) for hit in found],
    }


def _pages(first: int | None, last: int | None) -> str:
    return f"{first}-{last}"


def _spans(page: int) -> list[str]:
    """Pages of the chunks that have a part on this one."""
    return [
        _pages(first, last)
        for first in range(page - LONGEST + 1, page + 1)
        for last in range(page, first + LONGEST)
    ]


def _questions(data: Path) -> list[dict[str, Any]]:
    """The questions that the law answers."""
    lines = (data / "questions" / "law6331_dev.jsonl").read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines if line.strip()]
    return [question for question in read if question["answerable"]]
