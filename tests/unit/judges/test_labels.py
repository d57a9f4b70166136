from __future__ import annotations

import pytest

from docrag.api import JudgeError
from docrag.judges.labels import shares


def row(**found: object) -> list[dict[str, object]]:
    return [{"label": name, "score": score} for name, score in found.items()]


def told(answer: object, *, count: int = 1, wanted: str = "") -> list[float | None]:
    return shares(answer, count=count, wanted=wanted, label="the judge")


@pytest.mark.parametrize(
    "name", ["entailment", "ENTAILMENT", " Entail ", "supported", "SUPPORTS", "consistent"]
)
def test_usual_names_of_entailment_are_known(name: str) -> None:
    assert told([row(**{"neutral": 0.2, name: 0.7, "contradiction": 0.1})]) == [0.7]


def test_name_of_entailment_can_be_told() -> None:
    assert told([row(LABEL_0=0.9, LABEL_1=0.1)], wanted="label_1") == [0.1]


def test_unknown_names_are_refused_and_named() -> None:
    with pytest.raises(JudgeError, match="but LABEL_0, LABEL_1; set the option label"):
        told([row(LABEL_0=0.9, LABEL_1=0.1)])


def test_unknown_best_label_is_refused() -> None:
    with pytest.raises(JudgeError, match="LABEL_1"):
        told([{"label": "LABEL_1", "score": 0.9}])


def test_message_shows_no_text_that_came_as_label() -> None:
    with pytest.raises(JudgeError) as caught:
        told([row(**{"maaş bordrosu gizlidir": 0.5, "LABEL_1": 0.5})])
    assert "maaş" not in str(caught.value)


@pytest.mark.parametrize("label", ["not_entailment", "CONTRADICTION", "neutral"])
def test_best_label_alone_gives_a_bound(label: str) -> None:
    assert told([{"label": label, "score": 0.75}]) == [0.25]
    assert told([{"label": label, "score": 0.4}]) == [0.4]


def test_pairs_keep_their_order() -> None:
    answer = [{"label": "entailment", "score": 0.9}, {"label": "neutral", "score": 0.8}]
    assert told(answer, count=2) == [0.9, pytest.approx(0.2)]


def test_single_pair_may_lack_its_outer_list() -> None:
    assert told(row(entailment=0.3, neutral=0.7)) == [0.3]


@pytest.mark.parametrize("score", [float("nan"), None, "0.9", True])
def test_share_that_is_no_number_is_no_verdict(score: object) -> None:
    answer = [row(entailment=score, neutral=0.5), row(entailment=0.6, neutral=0.4)]
    assert told(answer, count=2) == [None, 0.6]


@pytest.mark.parametrize("score", [-0.5, 7.25, float("inf"), 10**400])
def test_share_beyond_one_is_refused(score: float) -> None:
    with pytest.raises(JudgeError, match="softmax"):
        told([row(entailment=score, neutral=0.5)])


def test_rounding_above_one_is_taken() -> None:
    assert told([row(entailment=1.0000004, neutral=0.0)]) == [1.0]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"error": "loading"}, "list of labels"),
        ([], "0 pairs of 1"),
        ([row(entailment=1.0)] * 2, "2 pairs of 1"),
        ([[]], "no labels"),
        (["entailment"], "no labels"),
        ([[0.3, 0.7]], "no labels"),
        ([[{"label": None, "score": 1.0}]], "without a name"),
        ([[*row(entailment=1.0), *row(entailment=0.5)]], "twice"),
    ],
)
def test_answer_without_labels_is_refused(answer: object, said: str) -> None:
    with pytest.raises(JudgeError, match=f"the judge .*{said}"):
        told(answer)


def test_pair_without_entailment_among_others_is_refused() -> None:
    with pytest.raises(JudgeError, match="left the label of entailment out"):
        told([row(entailment=0.5, neutral=0.5), row(neutral=0.5, contradiction=0.5)], count=2)
