from __future__ import annotations

import pytest

from docrag.api import Access
from docrag.retrievers.lexical import LexicalRetriever
from docrag.testing.retrievers import CHUNKS, filled_store

PERSONNEL = Access.of(("personel",))


@pytest.mark.parametrize("question", ["YILLIK İZİN", "yillik izin", "yıllık izinlerin"])
def test_words_are_found_in_every_spelling(question: str) -> None:
    found = LexicalRetriever(store=filled_store()).retrieve(question, access=PERSONNEL, k=1)
    assert [item.chunk.text for item in found] == ["Yıllık izin on dört gündür."]


@pytest.mark.parametrize("question", ["?!", "…", "🙂"])
def test_question_without_words_asks_nothing(question: str) -> None:
    store = filled_store()
    assert LexicalRetriever(store=store).retrieve(question, access=PERSONNEL, k=3) == []
    assert store.calls == 0


def test_unknown_words_find_nothing() -> None:
    assert LexicalRetriever(store=filled_store()).retrieve("zebra", access=PERSONNEL, k=3) == []


def test_no_embedder_is_needed() -> None:
    retriever = LexicalRetriever(store=filled_store(), embedder=None)
    found = retriever.retrieve(CHUNKS[4][0], access=PERSONNEL, k=1)
    assert found[0].score > 0
    assert found[0].legs[0].name == "lexical"
