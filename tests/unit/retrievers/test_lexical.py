from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docrag.api import Access, Candidate, SettingsError
from docrag.retrievers.lexical import LexicalRetriever
from docrag.testing.retrievers import CHUNKS, filled_store
from docrag.testing.store import MemoryChunkStore

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


@pytest.mark.parametrize("question", ["14 gün", "ondört", "14'ü"])
def test_equivalent_number_is_found(question: str) -> None:
    found = LexicalRetriever(store=filled_store()).retrieve(question, access=PERSONNEL, k=1)
    assert [item.chunk.text for item in found] == ["Yıllık izin on dört gündür."]


def test_own_equivalents_are_found() -> None:
    own = [["tatil", "yıllık izin"]]
    found = LexicalRetriever(store=filled_store(), equivalents=own).retrieve(
        "TATİL", access=PERSONNEL, k=1
    )
    assert [item.chunk.text for item in found] == ["Yıllık izin on dört gündür."]


def test_wrong_equivalents_are_refused() -> None:
    with pytest.raises(SettingsError, match="equivalents: group 1"):
        LexicalRetriever(store=filled_store(), equivalents=[["tatil"]])


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("yirmi", ["yirmi", "20"]),
        ("yirma", ["yirma~"]),
        ("işyeri", ["isyer", "is", "yeri*"]),
        ("iş yeri yeri", ["is", "yeri*", "yeri*", "isyer"]),
    ],
)
def test_well_spelt_words_have_no_near_ones(question: str, terms: list[str]) -> None:
    asked: list[str] = []

    class Listening(MemoryChunkStore):
        def candidates(self, *, terms: Sequence[str], **rest: Any) -> list[Candidate]:  # noqa: ANN401 - passed on
            asked.extend(term for term in terms if ":" not in term)
            return super().candidates(terms=terms, **rest)

    LexicalRetriever(store=Listening()).retrieve(question, access=PERSONNEL, k=1)
    assert asked == terms
