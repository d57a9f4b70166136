"""The evidence gate behind each retriever, over a corpus of two sentences."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docrag.answer.answerer import Answerer
from docrag.answer.models import Models
from docrag.api import Abstention, Access, ChunkStore, Message, Retriever
from docrag.embedders.hashing import HashingEmbedder
from docrag.rerankers.identity import IdentityReranker
from docrag.retrievers.dense import DenseRetriever
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.settings import Settings
from docrag.testing.store import MemoryChunkStore
from tests.unit.answer.sources import chunk

TEXTS = (
    "Yangın tüpleri altı ayda bir kontrol edilir. Kontrolü bakım birimi yapar.",
    "Yıllık izin süresi bir yılını dolduran çalışan için on dört gündür.",
)
RETRIEVERS: dict[str, Callable[[ChunkStore], Retriever]] = {
    "dense": lambda store: DenseRetriever(store=store, embedder=HashingEmbedder()),
    "hybrid": lambda store: HybridRetriever(store=store, embedder=HashingEmbedder()),
    "words": lambda store: HybridRetriever(store=store),
    "lexical": lambda store: LexicalRetriever(store=store),
}


def declined(retriever: str, question: str, **given: object) -> Abstention | None:
    """Why a question is not answered; ``None`` if it is."""
    store = MemoryChunkStore()
    for place, text in enumerate(TEXTS, start=1):
        vector = HashingEmbedder().embed_documents([text])[0]
        store.add(chunk(place, text, document=str(place)).chunk, roles={"isg"}, vector=vector)
    parts = Answerer(
        settings=Settings(),
        retriever=RETRIEVERS[retriever](store),
        reranker=IdentityReranker(),
        models=Models(),
        **given,  # type: ignore[arg-type]  # of one keyword
    )
    asked = [Message(role="user", content=question)]
    turn = parts.prepare(asked, access=Access.of(["isg"]), record=lambda _: None)
    return turn.read().abstention


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize(
    "question",
    ["Yangın tüpleri ne sıklıkla kontrol edilir?", "yangin tupleri ne siklikla kontrol edilir",
     "YANGIN TÜPLERİ NE ZAMAN KONTROL EDİLİR?", "Yıllık izin süresi kaç gündür?"],
)  # fmt: skip
def test_what_stands_there_is_answered(retriever: str, question: str) -> None:
    assert declined(retriever, question) is None


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize(
    "question",
    ["Doğum izni kaç haftadır?", "Mars'a ne zaman gidilir?", "Dolar bugün kaç lira?",
     "Müdür Kemal Aydın hangi yılda doğdu?", "How often are fire extinguishers checked?"],
)  # fmt: skip
def test_what_does_not_is_declined(retriever: str, question: str) -> None:
    abstention = declined(retriever, question)
    assert abstention is not None
    assert abstention.evidence < 0.5


@pytest.mark.parametrize(("required", "enough"), [(None, True), (0.0, True), (1.0, False)])
def test_stored_threshold_decides_where_none_is_set(required: float | None, enough: bool) -> None:
    abstention = declined("words", "Yıllık izin süresi kaç gün?", required=lambda: required)
    assert (abstention is None) is enough
