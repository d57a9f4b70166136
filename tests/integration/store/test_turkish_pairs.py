"""Which Turkish questions find which texts: forty that must, twenty that must not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from docrag.api import Access, printable
from docrag.retrievers.lexical import LexicalRetriever
from docrag.store import Store, make_engine

from .pipelined import ROLE, index

#: Category, question and text of each pair.
PAIRS: dict[str, list[list[str]]] = json.loads(
    Path(__file__).with_name("turkish_pairs.json").read_text(encoding="utf-8")
)
#: Texts beside those of the pairs.
FILLER = [
    "Toplantı odası bir gün önceden ayrılır.",
    "Servis araçları sabah erken saatte kalkar.",
    "Yemekhane menüsü her hafta ilan edilir.",
    "Misafirler danışmada karşılanır ve kart alır.",
    "Bilgisayar parolaları kimseyle paylaşılmaz.",
    "Otopark ücretsizdir, yer garanti edilmez.",
    "Bahçede köpek gezdirmek yasaktır.",
    "Arşivdeki dosyalar taranarak saklanır.",
    "Kütüphane akşam da açıktır.",
    "Duyurular panoya asılır ve e-posta ile gönderilir.",
]


@pytest.fixture(scope="module")
def retriever(shared_database_url: str) -> Iterator[LexicalRetriever]:
    """Searches all texts, each a document of its own."""
    engine = make_engine(shared_database_url)
    store = Store(engine)
    index(store, [text for pairs in PAIRS.values() for _, _, text in pairs] + FILLER)
    yield LexicalRetriever(store=store.chunks)
    engine.dispose()


def of(kind: str) -> pytest.MarkDecorator:
    """Run a test for every pair of a kind."""
    pairs = [pytest.param(q, printable(t), id=f"{c}: {q}") for c, q, t in PAIRS[kind]]
    return pytest.mark.parametrize(("question", "text"), pairs)


def found(retriever: LexicalRetriever, question: str) -> list[str]:
    """Texts that are found, best first."""
    access = Access.of([ROLE])
    return [item.chunk.text for item in retriever.retrieve(question, access=access, k=1000)]


def test_there_are_forty_and_twenty() -> None:
    assert (len(PAIRS["must"]), len(PAIRS["must_not"])) == (40, 20)


@of("must")
def test_text_comes_first(retriever: LexicalRetriever, question: str, text: str) -> None:
    assert found(retriever, question)[:1] == [text]


@of("must_not")
def test_text_is_not_found(retriever: LexicalRetriever, question: str, text: str) -> None:
    assert text not in found(retriever, question)


@pytest.mark.xfail(strict=True, reason="prefixes are no stemmer; the category tells each miss")
@of("missed")
def test_known_miss(retriever: LexicalRetriever, question: str, text: str) -> None:
    assert found(retriever, question)[:1] == [text]


@pytest.mark.xfail(strict=True, reason="prefixes are no stemmer; the category tells each mistake")
@of("confused")
def test_known_mistake(retriever: LexicalRetriever, question: str, text: str) -> None:
    assert text not in found(retriever, question)
