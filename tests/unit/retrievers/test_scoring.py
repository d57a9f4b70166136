from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from docrag.api import ADMIN_ROLE, Access, Candidate, Leg, StoredChunk, asked_terms, c4, f5, indexed
from docrag.retrievers.scoring import UNCALIBRATED, scored, uncalibrated
from docrag.testing.store import MemoryChunkStore

K1, B = 0.9, 0.5
WORDS = "kaza kazası izin yıllık ISI işçi maaş görev ab a 2024 kâğıt".split()
QUESTION = "yıllık izin ısı kaza kaza"


def chunk(number: int, text: str) -> StoredChunk:
    return StoredChunk(
        chunk_id=number, document_id=f"d{number}", title="Belge", filename="b.pdf", ordinal=0,
        text=text, page_first=1, page_last=1,
    )  # fmt: skip


def store_of(texts: list[str]) -> tuple[MemoryChunkStore, list[Candidate]]:
    """A store of these texts, and all of them as candidates of the lexical search."""
    store = MemoryChunkStore()
    for number, text in enumerate(texts, 1):
        store.add(chunk(number, text))
    access = Access.of((ADMIN_ROLE,))
    terms = asked_terms(QUESTION)
    return store, store.candidates(terms=terms, vector=None, access=access, k=1000)


def texts(count: int = 30) -> list[str]:
    draw = random.Random(count)  # noqa: S311 - fixed texts
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 12))) for _ in range(count)]


def bm25(
    unit: list[str], units: list[list[str]], weights: dict[str, float], average: float
) -> float:
    counts = Counter(unit)
    norm = K1 * (1 - B + B * len(unit) / average)
    return sum(w * counts[t] * (K1 + 1) / (counts[t] + norm) for t, w in weights.items())


def idf(n: int, frequency: int) -> float:
    return math.log(1 + (n - min(frequency, n) + 0.5) / (min(frequency, n) + 0.5))


def test_grams_are_scored_by_bm25_of_the_corpus() -> None:
    store, candidates = store_of(texts())
    units = [c4(indexed("Belge", "", text)) for text in texts()]
    average = sum(map(len, units)) / len(units)
    weights = {
        gram: repeats * idf(len(units), sum(gram in unit for unit in units))
        for gram, repeats in Counter(c4(QUESTION)).items()
    }
    for item in scored(QUESTION, candidates, store, weight=None, k=1000):
        unit = units[item.chunk.chunk_id - 1]
        (leg,) = [leg for leg in item.legs if leg.name == "c4"]
        assert leg.score == pytest.approx(bm25(unit, units, weights, average), abs=1e-9)


def test_pairs_weigh_the_mean_of_their_words() -> None:
    store, candidates = store_of(texts())
    units = [f5(indexed("Belge", "", text)) for text in texts()]
    average = sum(map(len, units)) / len(units) - 1
    asked = f5(QUESTION)
    weight = {term: idf(len(units), sum(term in unit for unit in units)) for term in asked}
    weights: dict[str, float] = {}
    for one, other in zip(asked, asked[1:], strict=False):
        pair = f"{one} {other}"
        weights[pair] = weights.get(pair, 0) + (weight[one] + weight[other]) / 2
    pairs = [[f"{a} {b}" for a, b in zip(u, u[1:], strict=False)] for u in units]
    for item in scored(QUESTION, candidates, store, weight=None, k=1000):
        (leg,) = [leg for leg in item.legs if leg.name == "bigram"]
        wanted = bm25(pairs[item.chunk.chunk_id - 1], pairs, weights, average)
        assert leg.score == pytest.approx(wanted, abs=1e-9)


def test_places_of_a_field_are_those_of_its_scores() -> None:
    store, candidates = store_of(texts())
    items = scored(QUESTION, candidates, store, weight=None, k=1000)
    for name in ("window", "c4", "bigram"):
        legs = [leg for item in items for leg in item.legs if leg.name == name]
        ordered = [leg.score for leg in sorted(legs, key=lambda leg: leg.rank)]
        assert sorted(leg.rank for leg in legs) == list(range(1, len(items) + 1))
        assert ordered == pytest.approx(sorted(ordered, reverse=True))


def test_searches_keep_their_own_ranks() -> None:
    candidate = Candidate(
        chunk=chunk(1, "izin"), legs=(Leg(name="lexical", score=1.0, rank=42),), lexical=1.0
    )
    (item,) = scored("izin", [candidate], store_of(["izin"])[0], weight=None, k=1)
    assert [(leg.name, leg.rank) for leg in item.legs][0] == ("lexical", 42)


def test_search_that_missed_a_chunk_gives_it_rank_zero() -> None:
    candidate = Candidate(
        chunk=chunk(1, "izin"), legs=(Leg(name="dense", score=0.5, rank=1),), dense=0.5
    )
    (item,) = scored("izin", [candidate], store_of(["izin"])[0], weight=1.0, k=1)
    assert {leg.name: leg.rank for leg in item.legs}["lexical"] == 0


def test_chunk_without_vector_counts_as_cosine_zero() -> None:
    store, _ = store_of(["izin", "izin"])
    legs = (Leg(name="lexical", score=1.0, rank=1),)
    items = scored(
        "izin",
        [
            Candidate(chunk=chunk(1, "izin"), legs=legs, dense=None, lexical=1.0),
            Candidate(chunk=chunk(2, "izin"), legs=legs, dense=0.25, lexical=1.0),
        ],
        store, weight=8.0, k=2,
    )  # fmt: skip
    assert [item.chunk.chunk_id for item in items] == [2, 1]
    assert items[0].score - items[1].score == pytest.approx(2.0)


def test_last_bits_do_not_decide() -> None:
    """Three tenths, added in two orders."""
    store, _ = store_of(["izin", "izin"])
    legs = (Leg(name="lexical", score=0.3, rank=1),)
    lower, higher = 0.3, 0.1 + 0.2
    assert lower < higher
    items = scored(
        "izin",
        [
            Candidate(chunk=chunk(2, "izin"), legs=legs, lexical=higher),
            Candidate(chunk=chunk(1, "izin"), legs=legs, lexical=lower),
        ],
        store, weight=None, k=2,
    )  # fmt: skip
    assert [item.chunk.chunk_id for item in items] == [1, 2]


def test_no_candidates_ask_nothing() -> None:
    assert scored("izin", [], MemoryChunkStore(), weight=None, k=5) == []


@pytest.mark.parametrize("question", ["", "?", "izin", "a"])
def test_question_without_pairs_is_scored(question: str) -> None:
    store, candidates = store_of(texts(5))
    items = scored(question, candidates, store, weight=None, k=3)
    assert len(items) == min(3, len(candidates))
    assert all({leg.name: leg.score for leg in item.legs}["bigram"] == 0 for item in items)


def test_weights_of_the_words_come_with_every_chunk() -> None:
    store, candidates = store_of(texts())
    items = scored(QUESTION, candidates, store, weight=None, k=1000, model_id="e5")
    (weights,) = {id(item.weights): item.weights for item in items}.values()
    assert weights is not None
    assert set(weights.idf) == set(f5(QUESTION))
    assert weights.n_units == len(texts())
    assert weights.best * UNCALIBRATED == pytest.approx(uncalibrated(QUESTION, store))
    assert weights.model_id == ("e5" if candidates[0].dense is not None else "")


def test_passage_in_words_of_documents_comes_first() -> None:
    """Of two that have none of the words, in the same letters, the one that means the same."""
    names = ["sendika", "işveren"]
    candidates = [
        Candidate(
            chunk=replace(chunk(number, f"{name} bunu hemen bildirir"), section="Bildirim"),
            legs=(Leg(name="lexical", score=1.0, rank=number),),
        )
        for number, name in enumerate(names, 1)
    ]
    store, _ = store_of(names)
    first, second = scored("PATRON ne yapar", candidates, store, weight=None, k=2)
    assert first.chunk.chunk_id == 2
    assert first.score > second.score
