"""Questions that nobody should ask, put to every built-in retriever on a real store."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from docrag.api import Access, EmbedderError, Retriever, ScoredChunk, Vectors
from docrag.retrievers.dense import DenseRetriever
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.store import Store, make_engine
from docrag.testing.vectors import CountingEmbedder

from .conftest import ADMIN
from .mirror import Writer

#: Enough that no two words of these texts share a place.
DIM = 1024
#: A document in each alphabet, and a question with one of its words.
TEXTS = {
    "Turkish": ("İşçi sağlığı ve ısı ölçümü yapılır.", "ISI ölçümü"),
    "Greek": ("Η άδεια είναι δεκατέσσερις ημέρες.", "ημέρες άδεια"),
    "Arabic": ("الإجازة السنوية أربعة عشر يوما", "الإجازة السنوية"),
    "Chinese": ("年假为十四天", "年假为十四天"),
    "Russian": ("Ежегодный отпуск четырнадцать дней", "отпуск дней"),
}
RETRIEVERS = {"dense": DenseRetriever, "lexical": LexicalRetriever, "hybrid": HybridRetriever}
NEEDS_EMBEDDER = ("dense", "hybrid")


class Answering(CountingEmbedder):
    """An embedder whose question has a given vector."""

    def __init__(self, vector: Vectors) -> None:
        super().__init__(dim=DIM)
        self._vector = vector

    def embed_query(self, text: str) -> Vectors:
        """Whatever was asked."""
        return self._vector


@pytest.fixture(scope="module")
def shelf(shared_database_url: str) -> Iterator[Store]:
    engine = make_engine(shared_database_url)
    store, embedder = Store(engine), CountingEmbedder(dim=DIM)
    store.roles.create("ik")
    for name, (words, _) in TEXTS.items():
        document_id = Writer(store).create(name, name.encode())
        Writer(store).fill(document_id, name, [words], vectors=embedder.embed_documents([words]))
    yield store
    engine.dispose()


def retriever(store: Store, name: str, embedder: CountingEmbedder | None = None) -> Retriever:
    made: Retriever = RETRIEVERS[name](
        store=store.chunks, embedder=embedder or CountingEmbedder(dim=DIM)
    )
    return made


def asked(
    store: Store, name: str, question: str, *, k: int = 3, access: Access = ADMIN
) -> list[ScoredChunk]:
    return retriever(store, name).retrieve(question, access=access, k=k)


every_retriever = pytest.mark.parametrize("name", RETRIEVERS)


@every_retriever
@pytest.mark.parametrize("question", ["", " \n\t ", "\0", "\u2003"])
def test_empty_question_finds_nothing(shelf: Store, name: str, question: str) -> None:
    assert asked(shelf, name, question) == []


@every_retriever
@pytest.mark.parametrize("question", ["?!.,;", "…", "🙂", "👩‍👩‍👧 🇹🇷", "\u0301\u0302", "---"])
def test_question_without_words_finds_nothing_by_words(
    shelf: Store, name: str, question: str
) -> None:
    """By meaning alone, every chunk is a little near."""
    found = asked(shelf, name, question)
    assert len(found) == (3 if name == "dense" else 0)
    assert all(np.isfinite(item.score) for item in found)


@every_retriever
@pytest.mark.parametrize("alphabet", TEXTS)
def test_every_alphabet_is_found(shelf: Store, name: str, alphabet: str) -> None:
    words, question = TEXTS[alphabet]
    assert asked(shelf, name, question)[0].chunk.text == words


@every_retriever
@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE chunks; -- ölçümü",
        "ölçümü' OR '1'='1",
        "ölçümü %s %(roles)s :terms {0} $1 \\",
        'ölçümü" UNION SELECT * FROM users --',
        "ölçümü\0\0",
        "ölçümü \ud800",
        "\udfff ölçümü *~ *",
    ],
)
def test_odd_signs_are_only_words(shelf: Store, name: str, question: str) -> None:
    assert asked(shelf, name, question)[0].chunk.text == TEXTS["Turkish"][0]
    assert len(asked(shelf, "dense", "x", k=1000)) == len(TEXTS)


@every_retriever
@pytest.mark.parametrize("filling", ["a", "sözcük ", "?", "漢", "e\u0301", "🙂", "\n", "I\u0307"])
def test_endless_question_is_answered(shelf: Store, name: str, filling: str) -> None:
    question = f"{filling * (50_000 // len(filling))} ISI ölçümü"
    assert asked(shelf, name, question)[0].chunk.text == TEXTS["Turkish"][0]


@every_retriever
@pytest.mark.parametrize("k", [0, -1, 1001, 10_000])
def test_k_out_of_range_is_refused(shelf: Store, name: str, k: int) -> None:
    with pytest.raises(ValueError, match=f"k is {k}; ask for 1 to 1000"):
        asked(shelf, name, "ölçümü", k=k)


@every_retriever
def test_most_chunks_may_be_asked_for(shelf: Store, name: str) -> None:
    assert 1 <= len(asked(shelf, name, "ölçümü", k=1000)) <= len(TEXTS)


@every_retriever
@pytest.mark.parametrize(
    "roles", [["yok"], ["IK"], ["ik "], ["ik,admin"], ["ADMİN"], ["{admin}"], ["\0"], ["\ud800"]]
)
def test_roles_that_do_not_exist_find_nothing(shelf: Store, name: str, roles: list[str]) -> None:
    assert asked(shelf, name, "ölçümü", access=Access.of(roles)) == []


BROKEN = {
    "zero": np.zeros(DIM),
    "nan": np.full(DIM, np.nan),
    "infinite": np.full(DIM, np.inf),
    "one infinite": np.array([np.inf] + [0.0] * (DIM - 1)),
    "too large for half precision": np.full(DIM, 1e6),
    "too small for half precision": np.full(DIM, 1e-12),
    "other dimension": np.ones(DIM + 1),
    "matrix": np.ones((1, DIM)),
    "nothing": np.ones(0),
}


@pytest.mark.parametrize("vector", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("name", NEEDS_EMBEDDER)
def test_broken_vector_is_an_error(shelf: Store, name: str, vector: Vectors) -> None:
    embedder = Answering(vector.astype(np.float32))
    with pytest.raises(EmbedderError):
        retriever(shelf, name, embedder).retrieve("ölçümü", access=ADMIN, k=3)


@pytest.mark.parametrize("name", NEEDS_EMBEDDER)
def test_long_vector_is_as_good_as_a_short_one(shelf: Store, name: str) -> None:
    """Nobody promised that vectors have length 1."""
    vector = CountingEmbedder(dim=DIM).embed_query("ölçümü")
    found = [
        retriever(shelf, name, Answering(vector * scale)).retrieve("ölçümü", access=ADMIN, k=3)
        for scale in (np.float32(1), np.float32(1000))
    ]
    assert [i.chunk for i in found[0]] == [i.chunk for i in found[1]]


@pytest.mark.parametrize("scale", [1e6, 1e-12])
def test_unstorable_vectors_are_an_error(shelf: Store, scale: float) -> None:
    """One that is infinite or zero in half precision would never be found."""
    writer = Writer(shelf)
    document_id = writer.create("Bozuk", str(scale).encode())
    vectors = (np.ones((1, DIM)) * scale).astype(np.float32)
    with pytest.raises(EmbedderError, match="zero or not finite"):
        writer.fill(document_id, "Bozuk", ["ölçümü"], vectors=vectors)
