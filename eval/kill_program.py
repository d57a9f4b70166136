"""What ``eval.kill`` kills: a worker, a re-embedding, or somebody who deletes.

``python -m eval.kill_program URL work LOG SECONDS``, ``… reembed LOG SECONDS``, ``… cut LOG
SECONDS`` and ``… delete ID`` wait for a line on standard input and then do it. A worker ends after
one document; it names each stage on standard output, and in LOG, one line a batch, the texts that
it embedded (digests).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final

from docrag.api import Access
from docrag.components import Components
from docrag.embedders.hashing import HashingEmbedder
from docrag.ingest.pipeline import Pipeline, Progress
from docrag.ingest.worker import Worker
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store import Store, make_engine
from docrag.store.records import Document
from docrag.store.runs import Run
from docrag.testing.slow import SlowEmbedder
from eval.kill_spaces import reembed
from eval.kill_words import DIM, say, writer

#: Most chunks of a document.
MOST: Final = 20_000


class Telling(Pipeline):
    """A pipeline that says on standard output which stage it is in."""

    def run(self, document: Document, report: Progress, *, run: Run | None = None) -> None:
        """Read, cut, embed and index one stored document."""
        said = ""

        def told(stage: str, done: int, total: int) -> None:
            nonlocal said
            if stage != said:
                said = stage
                say(stage)
            report(stage, done, total)

        super().run(document, told, run=run)


def pipeline_of(
    store: Store, *, log: Path | None = None, seconds: float = 0.0, quiet: bool = False
) -> Pipeline:
    """A pipeline with the usual loaders and chunker and a slow embedder.

    :param log: where batches are noted.
    :param seconds: that the embedder takes for a batch.
    :param quiet: stages are not told on standard output.
    """
    settings = Settings(embedder="hashing", ocr="none")
    registry = Registry(allowed=settings.plugins, choice=settings.plugin_choice)
    components = Components(settings, registry=registry, store=store)
    embedder = SlowEmbedder(
        HashingEmbedder(dim=DIM), seconds=seconds, listen=None if log is None else writer(log)
    )
    kind = Pipeline if quiet else Telling
    return kind(
        store=store,
        loader=components.loader,
        suffixes=registry.names("loaders"),
        chunker=registry.build("chunkers", settings.chunker, settings.options("chunker")),
        embedder=embedder,
        batch=settings.embed_batch,
        most_chunks=MOST,
    )


def main(url: str, act: str, *more: str) -> None:
    """Wait for a word, then work or delete."""
    store = Store(make_engine(url))
    if act == "delete":
        store.ping()
        say("ready")
        sys.stdin.readline()
        store.documents.delete(more[0], access=Access.of(["admin"]))
        say("over")
        return
    if act in ("reembed", "cut"):
        store.ping()
        say("ready")
        sys.stdin.readline()
        reembed(store, cut=act == "cut", log=Path(more[0]), seconds=float(more[1]))
        say("over")
        return
    pipeline = pipeline_of(store, log=Path(more[0]), seconds=float(more[1]))
    worker = Worker(store=store, settings=Settings(), pipeline=lambda: pipeline)
    say("ready")
    sys.stdin.readline()
    while not worker.work_once():
        time.sleep(0.05)
    say("over")


if __name__ == "__main__":
    main(*sys.argv[1:])
