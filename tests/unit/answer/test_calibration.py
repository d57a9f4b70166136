from __future__ import annotations

import pytest

from docrag.answer.calibration import Expectation, Trial, best, estimate, trials
from docrag.api import Access, DocumentError, Leg, ScoredChunk, StoredChunk

ADMIN = Access.of(["admin"])


def hit(number: int, *, words: float, cosine: float, page: int | None = 1) -> ScoredChunk:
    """A chunk of document ``izin.pdf`` if its number is 1, else of another."""
    chunk = StoredChunk(
        chunk_id=number,
        document_id=str(number),
        title="İzin" if number == 1 else "Başka",
        filename="izin.pdf" if number == 1 else "baska.pdf",
        ordinal=0,
        text="metin",
        page_first=page,
        page_last=page,
    )
    legs = (
        Leg(name="dense", score=cosine, rank=1),
        Leg(name="c4", score=words, rank=1),
    )
    return ScoredChunk(chunk=chunk, score=0.0, legs=legs)


class Fixed:
    """A retriever that finds the same for every question."""

    def __init__(self, *hits: ScoredChunk) -> None:
        self.hits = list(hits)

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """The fixed hits."""
        return self.hits[:k]


def tried(*hits: ScoredChunk, document: str = "izin.pdf", page: int | None = None) -> list[Trial]:
    asked = [Expectation(question="kaç gün?", document=document, page=page)]
    return trials(asked, Fixed(*hits), access=ADMIN, progress=lambda: None, rule=lambda _: 50.0)


def test_cosine_wins_where_words_mislead() -> None:
    """The right one is nearer by 0.5; words give the other 10 more."""
    found = tried(hit(1, words=10, cosine=0.9), hit(2, words=20, cosine=0.4))
    by_weight = {trial.weight: trial.mrr_at_10 for trial in found}
    assert by_weight[0.0] == 0.5
    assert by_weight[80.0] == 1.0
    assert best(found).mrr_at_10 == 1.0


def test_rule_comes_first_and_has_no_weight() -> None:
    found = tried(hit(1, words=10, cosine=0.9), hit(2, words=20, cosine=0.4))
    assert found[0].weight is None
    assert found[0].mrr_at_10 == 1.0


@pytest.mark.parametrize("document", ["izin.pdf", "İZİN.PDF", "İzin", "I\u0307zin", "1"])
def test_document_is_named_in_any_way(document: str) -> None:
    assert tried(hit(1, words=1, cosine=0.5), document=document)[0].recall_at_5 == 1.0


def test_page_must_be_right_where_it_is_named() -> None:
    right, wrong = hit(1, words=1, cosine=0.5, page=2), hit(1, words=9, cosine=0.9, page=3)
    assert tried(right, wrong, page=2)[0].mrr_at_10 == 0.5


def test_unknown_documents_are_told() -> None:
    with pytest.raises(DocumentError, match="docrag documents"):
        tried(hit(2, words=1, cosine=0.5), document="yok.pdf")


def test_middle_of_equal_weights_is_best() -> None:
    equal = [Trial(weight=float(n), recall_at_5=1.0, mrr_at_10=1.0) for n in range(5)]
    assert best(equal).weight == 2.0


def test_stored_weight_is_tried_as_well() -> None:
    asked = [Expectation(question="kaç gün?", document="izin.pdf")]
    found = trials(
        asked,
        Fixed(hit(1, words=1, cosine=0.5)),
        access=ADMIN,
        progress=lambda: None,
        rule=lambda _: 50.0,
        current=7.0,
    )
    assert 7.0 in [trial.weight for trial in found]


def test_cosine_alone_decides_where_no_word_matches() -> None:
    found = tried(hit(1, words=0, cosine=0.9), hit(0, words=0, cosine=0.1))
    assert found[0].weight is None
    assert found[0].mrr_at_10 == 1.0


def test_estimate_is_four_times_the_best_grams() -> None:
    retriever = Fixed(hit(1, words=30, cosine=0.5), hit(2, words=20, cosine=0.9))
    assert estimate(["a", "b"], retriever, access=ADMIN, progress=lambda: None) == 120.0
