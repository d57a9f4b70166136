"""Vectors of a document's chunks: each text embedded once, in whichever run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from docrag.api import Chunk, EmbedderError, Vectors
from docrag.ingest import embedding as step
from docrag.ingest.embedding import Embedded, Embedding
from docrag.store.staged import Staged, StagedVector


class Kept:
    """Staged vectors in memory."""

    def __init__(self) -> None:
        self.rows: dict[bytes, StagedVector] = {}

    def vectors(self, document_id: str, *, space_id: int) -> dict[bytes, StagedVector]:
        return dict(self.rows)

    def keep_vectors(
        self, document_id: str, *, space_id: int, vectors: Sequence[StagedVector]
    ) -> None:
        self.rows.update((vector.digest, vector) for vector in vectors)


class Counting:
    """An embedder that counts its texts; it refuses long ones, and those with a bad word."""

    model_id, dim = "counting", 4

    def __init__(self, *, longest: int = 1000, dies_after: int = 1000) -> None:
        self.texts: list[str] = []
        self._longest = longest
        self._left = dies_after

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        long = [place for place, text in enumerate(texts) if len(text) > self._longest]
        bad = [place for place, text in enumerate(texts) if "bozuk" in text]
        if long or bad:
            raise EmbedderError("refused", indices=sorted({*long, *bad}), too_long=long)
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        self.texts += texts
        rows = [[len(text), 1, "hiç" not in text, text.count("a")] for text in texts]
        rows = [
            row if "sıfır" not in text else [0] * 4 for row, text in zip(rows, texts, strict=True)
        ]
        return np.array(rows, dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        raise NotImplementedError


def embed(embedder: Counting, kept: Kept, texts: Sequence[str], *, batch: int = 2) -> Embedded:
    """The texts as chunks of one document, a page each."""
    chunks = [
        Chunk(ordinal=place, text=text, page_first=place + 1, page_last=place + 1)
        for place, text in enumerate(texts)
    ]
    embedding = Embedding(embedder=embedder, space_id=1, staged=cast(Staged, kept), batch=batch)
    return embedding.embed("d", chunks, title="Başlık", report=lambda *_: None)


TEXTS = [f"{word} kararı" for word in "bir iki üç dört beş altı yedi".split()]


def test_every_chunk_has_its_vector() -> None:
    whole = embed(Counting(), Kept(), TEXTS)
    alone = [embed(Counting(), Kept(), [text]).vectors for text in TEXTS]
    assert whole.vectors is not None
    assert np.array_equal(
        whole.vectors, np.concatenate([rows for rows in alone if rows is not None])
    )
    assert [chunk.text for chunk in whole.chunks] == TEXTS


@pytest.mark.parametrize("batches", range(4))
def test_killed_run_repeats_at_most_one_batch(
    batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step, "WORTH", 0.0)
    kept, dying, next_run = Kept(), Counting(dies_after=batches), Counting()
    with pytest.raises(KeyboardInterrupt):
        embed(dying, kept, TEXTS)
    after = embed(next_run, kept, TEXTS)
    assert len(dying.texts) + len(next_run.texts) == len(TEXTS)
    assert after.chunks == embed(Counting(), Kept(), TEXTS).chunks


def test_all_but_the_last_batch_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "WORTH", 0.0)
    kept = Kept()
    embed(Counting(), kept, TEXTS)
    assert len(kept.rows) == 6


def test_fast_embedder_has_nothing_kept_but_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "WORTH", 60.0)
    kept = Kept()
    embed(Counting(), kept, TEXTS)
    assert kept.rows == {}
    embed(Counting(), kept, [*TEXTS, "bozuk", "sıfır"])
    assert sum(vector.vector is None for vector in kept.rows.values()) == 2


def test_equal_texts_are_embedded_once() -> None:
    embedder = Counting()
    assert len(embed(embedder, Kept(), ["aynı"] * 5).chunks) == 5
    assert len(embedder.texts) == 1


def test_refused_chunk_is_named() -> None:
    done = embed(Counting(), Kept(), ["bir", "bozuk", "üç"])
    assert [chunk.text for chunk in done.chunks] == ["bir", "üç"]
    assert [chunk.ordinal for chunk in done.chunks] == [0, 1]
    assert done.warnings == ("chunk 2 on page 2 could not be embedded and is not found",)


def test_zero_vector_is_refused() -> None:
    done = embed(Counting(), Kept(), ["bir", "sıfır"])
    assert done.warnings == ("chunk 2 on page 2 could not be embedded and is not found",)


def test_refusal_is_remembered() -> None:
    kept, later = Kept(), Counting()
    embed(Counting(), kept, ["bozuk", "iki", "üç"])
    embed(later, kept, ["bozuk", "iki", "üç"])
    assert [text.split("\n")[-1] for text in later.texts] == ["üç"]


def test_long_text_is_halved_until_it_fits() -> None:
    kept, text = Kept(), "İşveren her yıl ölçer. " * 8
    done = embed(Counting(longest=80), kept, ["kısa", text.strip()], batch=8)
    parts = [chunk.text for chunk in done.chunks if chunk.page_first == 2]
    assert " ".join(parts) == text.strip() and len(parts) == 4
    assert [chunk.ordinal for chunk in done.chunks] == list(range(5))
    assert not done.warnings


def test_all_refused_is_no_passing_failure() -> None:
    with pytest.raises(EmbedderError, match="every chunk") as raised:
        embed(Counting(), Kept(), ["bozuk", "bozuk da"])
    assert raised.value.indices == (0, 1)


def test_wrong_shape_is_refused() -> None:
    embedder = Counting()
    embedder.dim = 5
    with pytest.raises(EmbedderError, match="'counting' gave vectors of shape"):
        embed(embedder, Kept(), ["bir"])
