"""Documents that the pipeline itself has indexed, by words only."""

from __future__ import annotations

from collections.abc import Sequence

from docrag.chunkers.recursive import RecursiveChunker
from docrag.ingest.pipeline import Pipeline
from docrag.loaders.txt import TextLoader
from docrag.store import Store

#: A title that no question of these tests has a word of.
TITLE = "Qwxyz"
ROLE = "herkes"


def index(store: Store, texts: Sequence[str]) -> None:
    """Store each text as a document of its own that :data:`ROLE` may read, and index it."""
    pipeline = Pipeline(
        store=store,
        loader=lambda _: TextLoader(),
        suffixes=["txt"],
        chunker=RecursiveChunker(),
        embedder=None,
        batch=8,
        most_chunks=100,
    )
    store.roles.create(ROLE)
    for text in texts:
        document, _ = store.documents.create(
            filename="metin.txt",
            title=TITLE,
            suffix="txt",
            data=text.encode(),
            roles=[ROLE],
            uploaded_by=None,
        )
        pipeline.run(document, lambda *_: None)
