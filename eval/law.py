"""Questions as employees ask them, over a real law: is the right page among the first five?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from sqlalchemy.engine import URL

from docrag.answer.context import by_page
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


def write(server: URL, data: Path) -> None:
    """Run and qrels of the answerable questions; what is found is a page."""
    questions = _questions(data)
    runs.write(
        QRELS,
        ({"question": q["id"], "relevant": [str(page) for page in q["page"]]} for q in questions),
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
    # A chunk that runs over a page is cited as one source a page, so each takes a place.
    places = [(part.page_first, hit.score) for hit in found for part in by_page(hit.chunk)]
    return {
        "question": question["id"],
        "chunks": [str(page) for page, _ in places],
        "scores": [round(score, 6) for _, score in places],
    }


def _questions(data: Path) -> list[dict[str, Any]]:
    """The questions that the law answers."""
    lines = (data / "questions" / "law6331_dev.jsonl").read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines if line.strip()]
    return [question for question in read if question["answerable"]]
