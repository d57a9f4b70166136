from __future__ import annotations

import pytest

from docrag.api import RerankerError
from docrag.rerankers.answers import scores

ROWS: list[dict[str, object]] = [
    {"index": 1, "relevance_score": 0.5},
    {"index": 0, "relevance_score": -3},
]


@pytest.mark.parametrize(
    "answer",
    [
        ROWS,
        {"results": ROWS, "model": "m"},
        {"object": "list", "data": ROWS},
        [{"index": 1, "score": 0.5, "text": "b"}, {"index": 0, "score": -3, "text": None}],
        {"results": [{**row, "document": {"text": "a"}} for row in ROWS]},
    ],
)
def test_scores_are_mapped_by_index(answer: object) -> None:
    assert scores(answer, count=2, label="x") == [-3.0, 0.5]


@pytest.mark.parametrize(
    "answer",
    [None, "x", 3, True, {}, {"results": None}, {"results": {}}, {"data": "x"}, [1, 2], [[0, 0.5]]],
)
def test_other_answers_are_no_results(answer: object) -> None:
    with pytest.raises(RerankerError, match="x does not answer with a list of results.*shape"):
        scores(answer, count=1, label="x")


@pytest.mark.parametrize("index", [-1, 1, 10**30, None, "0", 0.0, True, [0]])
def test_index_that_was_not_sent_is_refused(index: object) -> None:
    with pytest.raises(RerankerError, match="x scored a document that it was not given"):
        scores([{"index": index, "score": 0.5}], count=1, label="x")


def test_document_scored_twice_is_refused() -> None:
    with pytest.raises(RerankerError, match="x scored one document twice"):
        scores([{"index": 0, "score": 1}, {"index": 0, "score": 1}], count=2, label="x")


@pytest.mark.parametrize("count", [1, 3])
def test_document_without_score_is_refused(count: int) -> None:
    with pytest.raises(RerankerError, match=f"x gave 0 scores for {count} documents"):
        scores({"results": []}, count=count, label="x")


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -float("inf"), 10**400, "0.9", None, True, [0.9]]
)
def test_score_that_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(RerankerError, match="x gave a score that is no finite number"):
        scores([{"index": 0, "score": value}], count=1, label="x")


def test_result_without_score_is_refused() -> None:
    with pytest.raises(RerankerError, match="no finite number"):
        scores([{"index": 0}], count=1, label="x")
