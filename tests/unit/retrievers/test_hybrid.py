from __future__ import annotations

import pytest

from docrag.api import (
    ADMIN_ROLE,
    K1,
    Access,
    ScoredChunk,
    SettingsError,
    StoredChunk,
    c4,
    f5,
    idf,
)
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.testing.retrievers import CHUNKS, DIM, QUESTION, filled_store
from docrag.testing.store import MemoryChunkStore
from docrag.testing.vectors import CountingEmbedder

ADMIN = Access.of((ADMIN_ROLE,))


def found(
    store: MemoryChunkStore | None = None, *, question: str = QUESTION, **options: object
) -> list[ScoredChunk]:
    retriever = HybridRetriever(
        store=store or filled_store(),
        embedder=CountingEmbedder(dim=DIM),
        **options,  # type: ignore[arg-type]  # of several types
    )
    return retriever.retrieve(question, access=ADMIN, k=10)


def parts(item: ScoredChunk) -> tuple[float, float]:
    """Sum of the lexical fields, and the cosine that counts."""
    scores = {leg.name: leg.score for leg in item.legs}
    cosines = ("dense", "feedback")
    words = sum(score for name, score in scores.items() if name not in cosines)
    return words, scores["feedback"]


def test_every_field_is_explained() -> None:
    names = [
        "dense", "lexical", "feedback", "window", "c4", "sentence", "bigram", "before", "everyday"
    ]  # fmt: skip
    assert all([leg.name for leg in item.legs] == names for item in found())


@pytest.mark.parametrize("weight", [0.0, 0.5, 400.0])
def test_score_is_the_sum_with_the_option_as_weight(weight: float) -> None:
    for item in found(cosine_weight=weight):
        lexical, cosine = parts(item)
        assert item.score == pytest.approx(lexical + weight * cosine)


def test_calibrated_weight_is_the_store_s() -> None:
    store = filled_store()
    store.weight = 30.0
    for item in found(store):
        lexical, cosine = parts(item)
        assert item.score == pytest.approx(lexical + 30 * cosine)


def test_option_goes_before_the_calibration() -> None:
    store = filled_store()
    store.weight = 30.0
    assert found(store, cosine_weight=2.0) == found(cosine_weight=2.0)


def test_uncalibrated_weight_is_that_of_words_at_their_best() -> None:
    """Every gram, word and pair of the question, and words once more for the window."""
    store = filled_store()
    grams, words = c4(QUESTION), f5(QUESTION)

    def weights(field: str, terms: list[str]) -> list[float]:
        counted = store.statistics(field, terms)
        return [idf(counted.n_units, counted.document_frequency[term]) for term in terms]

    single = weights("f5", words)
    pairs = [(one + other) / 2 for one, other in zip(single, single[1:], strict=False)]
    most = (K1 + 1) * (sum(weights("c4", grams)) + 2 * sum(single) + sum(pairs))
    for item in found():
        lexical, cosine = parts(item)
        assert item.score == pytest.approx(lexical + 1.5 * most * cosine)


def test_question_of_unknown_words_is_ordered_by_meaning() -> None:
    items = found(question="zzzzz")
    assert [parts(item)[0] for item in items] == [0.0] * len(items)
    cosines = [parts(item)[1] for item in items]
    assert cosines == sorted(cosines, reverse=True)


def test_question_without_words_finds_nothing() -> None:
    assert found(question="🙂") == []


def test_without_embedder_it_is_the_lexical_retriever() -> None:
    words = LexicalRetriever(store=filled_store()).retrieve(QUESTION, access=ADMIN, k=10)
    hybrid = HybridRetriever(store=filled_store(), embedder=None)
    assert hybrid.retrieve(QUESTION, access=ADMIN, k=10) == words != []


@pytest.mark.parametrize("k", [1, 3, 200])
def test_searches_are_as_wide_as_the_pool_or_as_asked(k: int) -> None:
    asked: list[int] = []

    class Watched(MemoryChunkStore):
        def candidates(self, *, k: int, **more: object) -> list[object]:  # type: ignore[override]  # only looked at
            asked.append(k)
            return []

    HybridRetriever(store=Watched(), pool=2).retrieve(QUESTION, access=ADMIN, k=k)  # type: ignore[arg-type]  # as above
    assert asked == [max(k, 2)]


@pytest.mark.parametrize("pool", [0, -1, 1001])
@pytest.mark.parametrize("kind", [HybridRetriever, LexicalRetriever])
def test_pool_out_of_range_is_refused(
    kind: type[HybridRetriever | LexicalRetriever], pool: int
) -> None:
    with pytest.raises(
        SettingsError, match=f"pool must be a whole number from 1 to 1000, not {pool}"
    ):
        kind(store=filled_store(), pool=pool)


@pytest.mark.parametrize("pool", ["x", 1.5, True, None])
def test_pool_of_another_type_is_refused(pool: object) -> None:
    with pytest.raises(SettingsError, match="pool must be a whole number"):
        HybridRetriever(store=filled_store(), **{"pool": pool})  # type: ignore[arg-type]  # wrong


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), float("-inf"), True])
def test_weight_out_of_range_is_refused(weight: float) -> None:
    with pytest.raises(SettingsError, match="cosine_weight must be a number from 0"):
        HybridRetriever(store=filled_store(), cosine_weight=weight)


def test_header_is_searched_and_not_shown() -> None:
    store = MemoryChunkStore()
    chunk = StoredChunk(
        chunk_id=1, document_id="d", title="seyahat_yönergesi", filename="s.pdf", ordinal=0,
        text="Ücret ödenmez.", page_first=1, page_last=1, section="Yemek",
    )  # fmt: skip
    store.add(chunk, (), None)
    for question in ("seyahat", "yemek", "yönerge"):
        assert [item.chunk for item in found(store, question=question)] == [chunk]


def test_equal_scores_come_by_chunk() -> None:
    store = MemoryChunkStore()
    for number in (3, 1, 2):
        chunk = StoredChunk(
            chunk_id=number, document_id=f"d{number}", title="", filename="a.pdf", ordinal=0,
            text=CHUNKS[0][0], page_first=1, page_last=1,
        )  # fmt: skip
        store.add(chunk, (), CountingEmbedder(dim=DIM).embed_query(chunk.text))
    items = found(store)
    assert [item.chunk.chunk_id for item in items] == [1, 2, 3]
