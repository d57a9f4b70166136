from __future__ import annotations

import pytest

from docrag.api import Access, SettingsError
from docrag.retrievers.dense import DenseRetriever
from docrag.testing.retrievers import CHUNKS, DIM, QUESTION, filled_store
from docrag.testing.vectors import CountingEmbedder


def test_score_is_cosine_of_dense_leg() -> None:
    retriever = DenseRetriever(store=filled_store(), embedder=CountingEmbedder(dim=DIM))
    found = retriever.retrieve(CHUNKS[0][0], access=Access.of(("güvenlik",)), k=1)
    assert found[0].score == pytest.approx(1.0, abs=1e-6)
    assert [(leg.name, leg.rank) for leg in found[0].legs] == [("dense", 1)]


def test_question_is_embedded_once() -> None:
    embedder = CountingEmbedder(dim=DIM)
    retriever = DenseRetriever(store=filled_store(), embedder=embedder)
    retriever.retrieve(QUESTION, access=Access.of(("personel",)), k=3)
    assert embedder.calls == 1


def test_missing_embedder_is_named() -> None:
    with pytest.raises(SettingsError, match="DOCRAG_RETRIEVER=hybrid"):
        DenseRetriever(store=filled_store(), embedder=None)
