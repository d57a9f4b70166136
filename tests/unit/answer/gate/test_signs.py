"""Signs that passages answer a question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.context import number
from docrag.answer.gate.model import MODEL_ID, Kind, probability
from docrag.answer.gate.signs import Signs, signs
from docrag.answer.subject import content_words
from docrag.api import Article, Leg, ScoredChunk, WordWeights
from tests.unit.answer.sources import chunk

LAW = "İşveren risk değerlendirmesi yapar. Kayıtlar saklanır."
QUESTION = "İşveren risk değerlendirmesini ne zaman yapar?"


def found(n_units: int = 2_000, model: str = MODEL_ID, *, count: int = 5) -> list[ScoredChunk]:
    """Chunks as the hybrid retriever gives them, the first one with the answer."""
    weights = WordWeights(idf={"risk": 4.0}, best=100.0, n_units=n_units, model_id=model)
    return [
        replace(
            chunk(place, LAW if place == 1 else "Başka bir konu.", page=place),
            weights=weights,
            legs=(
                Leg(name="dense", score=0.9 - place / 100, rank=place),
                Leg(name="lexical", score=20.0 - place, rank=place),
                Leg(name="c4", score=30.0 - place, rank=place),
                Leg(name="bigram", score=5.0 - place, rank=place),
            ),
        )
        for place in range(1, count + 1)
    ]


def seen(chunks: list[ScoredChunk], question: str = QUESTION) -> Signs:
    """Signs of a question over these chunks."""
    return signs(question, content_words(question), number(chunks), chunks)


def test_ranks_are_told_by_the_best_possible_score() -> None:
    values = seen(found()).values
    assert values["match"] == pytest.approx((19 + 29 + 4) / 100)
    assert values["lead"] == pytest.approx(3 * 4 / 100)
    assert values["neighbours"] == pytest.approx(0.04)
    assert values["cosine"] == pytest.approx(0.89)


def test_chunks_of_another_search_do_not_rank() -> None:
    alone, carried = found(), replace(found()[0], score=0.1)
    beside = replace(carried, weights=WordWeights(idf={}, best=1.0))
    assert seen([*alone, beside]).values["match"] == seen(alone).values["match"]


def test_few_chunks_tell_no_lead() -> None:
    assert "lead" not in seen(found(count=2)).values


def test_cosine_of_another_model_is_not_known() -> None:
    assert "cosine" not in seen(found(model="baska-model")).values
    assert "cosine" in seen(found(model=f"{MODEL_ID}-q4")).values


def test_chunks_without_legs_leave_only_words() -> None:
    bare = [replace(scored, legs=(), weights=None) for scored in found()]
    told = seen(bare)
    assert told.kind == "small"
    assert not {"match", "lead", "neighbours", "cosine"} & set(told.values)


def test_words_of_the_heading_count_for_its_source() -> None:
    chunks = found(count=1)
    headed = [replace(s, chunk=replace(s.chunk, title="Yangın tüpleri")) for s in chunks]
    question = "Yangın tüplerinde risk değerlendirmesi nasıl yapılır?"
    assert seen(headed, question).missing == ()
    assert seen(chunks, question).missing == ("yangin", "tuplerinde")


@pytest.mark.parametrize(
    ("n_units", "articles", "kind"),
    [(2_000, 0, "text"), (2_000, 5, "law"), (2_000, 2, "text"), (100, 5, "law"), (100, 0, "small"),
     (10, 5, "small")],
)  # fmt: skip
def test_kind_is_by_corpus_and_articles(n_units: int, articles: int, kind: Kind) -> None:
    chunks = [
        replace(
            scored,
            chunk=replace(
                scored.chunk, article=Article(kind="madde", number="1") if n < articles else None
            ),
        )
        for n, scored in enumerate(found(n_units))
    ]
    assert seen(chunks).kind == kind


@pytest.mark.parametrize("kind", ["text", "law", "small"])
def test_sign_that_is_not_known_changes_nothing(kind: Kind) -> None:
    assert probability(kind, {}) == probability(kind, {"unknown": 1.0})


@pytest.mark.parametrize("kind", ["text", "law", "small"])
@pytest.mark.parametrize(
    ("name", "against"),
    [("cosine", False), ("lead", False), ("names_missing", True), ("rarest_missing", True)],
)
def test_no_sign_counts_the_wrong_way(kind: Kind, name: str, against: bool) -> None:
    low, high = (probability(kind, {"cosine": 0.86, name: value}) for value in (0.1, 0.95))
    assert (low >= high) if against else (low <= high)
