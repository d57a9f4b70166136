"""A re-embedding: the same document by another model, or cut in another way as well."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from docrag.chunkers.fixed import FixedChunker
from docrag.embedders.hashing import HashingEmbedder
from docrag.ingest.filling import Filling
from docrag.ingest.plan import Plan, Plans
from docrag.ingest.reindex import Reindex
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store import Store
from docrag.testing.slow import SlowEmbedder
from eval.kill_words import DIM, say, writer

#: What the other model is called. Its vectors are as long, so that one reader asks both spaces.
OTHER: Final = "other"
#: Characters of a chunk that is cut the other way.
SIZE: Final = 600


class OtherEmbedder(HashingEmbedder):
    """The same vectors under another name: another space."""

    def __init__(self) -> None:
        """Vectors of the usual length."""
        super().__init__(dim=DIM)
        self.model_id = OTHER


def parts(
    store: Store, *, cut: bool, log: Path | None = None, seconds: float = 0.0
) -> tuple[Reindex, Filling]:
    """What fills and switches, from the usual plan to the other one.

    :param cut: with another chunker as well.
    :param log: where batches are noted.
    :param seconds: that the other embedder takes for a batch.
    """
    settings = Settings()
    registry = Registry()
    chunker = registry.build("chunkers", settings.chunker, settings.options("chunker"))
    slow = SlowEmbedder(
        OtherEmbedder(), seconds=seconds, listen=None if log is None else writer(log)
    )
    plans = Plans(
        store=store,
        today=Plan(chunker=chunker, embedder=HashingEmbedder(dim=DIM)),
        coming=Plan(chunker=FixedChunker(size=SIZE, overlap=0) if cut else chunker, embedder=slow),
    )
    filling = Filling(store=store, plans=lambda: plans, batch=settings.embed_batch)
    return Reindex(store=store, plans=lambda: plans, wake=filling.wake), filling


def reembed(store: Store, *, cut: bool, log: Path, seconds: float) -> None:
    """Fill the other space and switch to it, telling each stage."""
    reindex, filling = parts(store, cut=cut, log=log, seconds=seconds)
    say("fill")
    while filling.step():
        pass
    say("switch")
    coming = store.spaces.building()
    if coming is not None:  # else a killed process has switched already
        reindex.switch(coming)
