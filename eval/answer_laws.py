"""Questions over laws as employees ask them, and the laws in a store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docrag.chunkers.auto import AutoChunker
from docrag.ingest.pipeline import Pipeline
from docrag.loaders.pdf import PdfLoader
from docrag.store import Store
from eval.searching import OVERLAP, ROLE
from eval.tquad import folder
from eval.vectors import CachedEmbedder

#: The law that the dev questions are of; they name none.
DEV_LAW: Final = "kanun_6331.pdf"
#: Questions that are learnt from, and those by which a point is chosen.
_OWN: Final = ("train", "held")


def questions(name: str) -> list[dict[str, Any]]:
    """Questions with ``document``, ``page``, ``answerable`` and ``must_contain``.

    :param name: ``train``, ``held`` or ``dev``.
    """
    is_own = name in _OWN
    path = (
        Path(__file__).parent / f"law_{name}.jsonl"
        if is_own
        else folder() / "questions" / "law6331_dev.jsonl"
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    return [{"document": DEV_LAW, **json.loads(line)} for line in lines if line.strip()]


def files(asked: Iterable[Mapping[str, Any]]) -> list[str]:
    """Names of the laws that the questions are of, each once, sorted."""
    return sorted({item["document"] for item in asked if item["document"]})


def filled(store: Store, names: Sequence[str], vectors: CachedEmbedder, *, size: int) -> None:
    """Ingest the laws by the product's pipeline."""
    store.roles.create(ROLE)
    pipeline = Pipeline(
        store=store,
        loader=lambda _: PdfLoader(),
        suffixes=["pdf"],
        chunker=AutoChunker(size=size, overlap=OVERLAP),
        embedder=vectors,
        batch=8,
        most_chunks=20_000,
    )
    for name in names:
        document, _ = store.documents.create(
            filename=name,
            title=Path(name).stem,
            suffix="pdf",
            data=(folder() / "docs" / "tr" / name).read_bytes(),
            roles=[ROLE],
            uploaded_by=None,
        )
        pipeline.run(document, lambda *_: None)
