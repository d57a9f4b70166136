"""Sets of questions with what is found for them."""

from __future__ import annotations

import pytest

from docrag.api import Article, Leg, ScoredChunk, StoredChunk, WordWeights
from eval import answer_sets, runs
from eval.answer_corpus import everything_but
from eval.answer_sets import REMOVED, AnswerCase
from eval.tquad import Corpus, Question

CHUNK = StoredChunk(
    chunk_id=7,
    document_id="d",
    title="Şair",
    filename="3.txt",
    ordinal=2,
    text="Iğdır'da doğdu.",
    page_first=None,
    page_last=None,
    article=Article(kind="madde", number="3"),
)


@pytest.mark.parametrize("other", [0, 1, 4, 6, 696])
def test_only_the_own_article_is_kept_from_a_question(other: int) -> None:
    def roles(number: int) -> set[str]:
        """Those that an article is given to: what everything but its opposite lacks."""
        return set(everything_but(1_023 - number).roles)

    access = set(everything_but(5).roles)
    assert access & roles(other)
    assert not access & roles(5)


def test_groups_are_disjoint_and_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(answer_sets.COUNTS, "dev", (6, 3))
    asked = tuple(Question(id=str(n), text="Soru?", article=n, start=0, end=1) for n in range(20))
    corpus = Corpus(articles=(), dev=asked, train=())
    drawn = answer_sets._drawn(corpus, "dev")
    assert drawn == answer_sets._drawn(corpus, "dev")
    assert len({question.id for _, question in drawn}) == 9
    assert [group for group, _ in drawn].count(REMOVED) == 3


def test_case_is_read_as_it_was_written(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(runs, "FOLDER", tmp_path)
    weights = {"idf": {"sair": 2.0}, "best": 9.0, "n_units": 5, "model_id": "m"}
    scored = ScoredChunk(
        chunk=CHUNK,
        score=1.5,
        legs=(Leg(name="dense", score=0.9, rank=1),),
        weights=WordWeights(idf={"sair": 2.0}, best=9.0, n_units=5, model_id="m"),
    )
    line = {
        "question": "1", "text": "Nerede doğdu?", "gold": "Iğdır", "group": "answerable",
        "document": "3", "gold_chunks": ["3:2"], "weights": weights,
        "found": [answer_sets._scored(scored)], "around": [answer_sets._chunk(CHUNK)],
    }  # fmt: skip
    runs.write("answers-x", [line])
    (case,) = answer_sets.read("answers-x")
    assert case == AnswerCase(
        question="1", text="Nerede doğdu?", gold="Iğdır", group="answerable", document="3",
        gold_chunks=frozenset(["3:2"]), keys=("3:2",), found=(scored,), around=(CHUNK,),
    )  # fmt: skip
    assert case.found[0].weights == scored.weights
    assert case.is_retrieved
