from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from docrag.api import EmbedderError, Page, SettingsError, Vectors
from docrag.chunkers.semantic import SemanticChunker
from docrag.joining import joined
from docrag.testing.vectors import CountingEmbedder

DOGS = "Köpek havlar. Köpek ısırır. Köpek havlar ve ısırır. Köpek koşar."
CARS = "Araba İzmir'e gider. Araba durur. Araba İzmir'de durur. Araba satılır."


class Topics:
    """An embedder that knows two topics, and refuses what holds a given word."""

    model_id, dim = "topics", 2

    def __init__(self, refused: str = "") -> None:
        self._refused = refused

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        bad = [n for n, text in enumerate(texts) if self._refused and self._refused in text]
        if bad:
            raise EmbedderError("too long", indices=bad)
        rows = [[text.count("Köpek"), text.count("Araba")] for text in texts]
        found = np.array(rows, dtype=np.float32)
        whole: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
        return whole

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self.embed_documents([text])[0]
        return row


def texts(chunker: SemanticChunker, *pages: str) -> list[str]:
    numbered = [Page(number=n, text=text) for n, text in enumerate(pages, start=1)]
    return [chunk.text for chunk in chunker.split(numbered)]


def test_semantic_names_itself_and_its_model() -> None:
    found = SemanticChunker(embedder=CountingEmbedder()).fingerprint
    assert found == "semantic/1000/150/95/counting/v1"


def test_semantic_needs_embedder() -> None:
    with pytest.raises(SettingsError, match="needs an embedder.*DOCRAG_EMBEDDER"):
        SemanticChunker(embedder=None)


@pytest.mark.parametrize("percentile", [-1, 100.5, float("nan")])
def test_semantic_refuses_percentile(percentile: float) -> None:
    with pytest.raises(SettingsError, match="percentile must be between 0 and 100"):
        SemanticChunker(embedder=CountingEmbedder(), percentile=percentile)


def test_semantic_cuts_where_topic_changes() -> None:
    chunker = SemanticChunker(embedder=Topics(), percentile=80)
    first, *_, last = texts(chunker, f"{DOGS} {CARS}")
    assert first.startswith("Köpek havlar. Köpek ısırır.")
    assert "Araba" not in first
    assert "Köpek" not in last


def test_semantic_bounds_chunks() -> None:
    found = texts(SemanticChunker(embedder=Topics(), size=50, overlap=0), DOGS * 5)
    assert max(map(len, found)) <= 50


def test_semantic_never_crosses_page() -> None:
    assert texts(SemanticChunker(embedder=Topics()), "Köpek havlar", "köpek ısırır.") == [
        "Köpek havlar",
        "köpek ısırır.",
    ]


def test_semantic_cuts_nothing_at_refused_sentence() -> None:
    chunker = SemanticChunker(embedder=Topics(refused="ısırır"), percentile=100)
    assert texts(chunker, DOGS) == [DOGS]


def test_semantic_fails_with_its_embedder() -> None:
    class Broken(Topics):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            raise EmbedderError("no answer")

    with pytest.raises(EmbedderError, match="no answer"):
        texts(SemanticChunker(embedder=Broken()), DOGS)


def test_semantic_is_joined_again() -> None:
    chunker = SemanticChunker(embedder=CountingEmbedder(), size=80, overlap=40, percentile=70)
    numbered = [Page(number=n, text=text) for n, text in enumerate((DOGS, CARS), start=1)]
    again = joined((chunk.ordinal, chunk.text) for chunk in chunker.split(numbered))
    assert again.split() == f"{DOGS} {CARS}".split()
