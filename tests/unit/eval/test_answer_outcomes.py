from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docrag.answer.templates import fallback
from eval.answer_outcomes import Outcome, outcome, rows
from eval.answering import Told
from tests.unit.eval.answer_cases import case, chunk

TEXT = "Yangın tüpleri altı ayda bir kontrol edilir."


def told(text: str, **fields: Any) -> Told:  # noqa: ANN401 - by field
    answer = Told(
        question="q1",
        model="extractive",
        prompt="",
        text=text,
        declined="",
        evidence=0.9,
        context=("0:0",),
        cited=("0:0",),
        pages=(),
        unsupported=0,
        has_failed=False,
        seconds=0.1,
    )
    return replace(answer, **fields)


def found(text: str, passage: str = TEXT, **fields: Any) -> Outcome:  # noqa: ANN401 - by field
    return outcome(case(chunk(passage)), told(text, **fields), by_page=False)


@pytest.mark.parametrize(
    ("text", "passage", "word"),
    [
        ("Altı ayda birdir [1].", TEXT, "correct"),
        ("Altı ayda birdir [1].", "Tüpler kırmızıdır.", "not_in_context"),
        ("Her gün [1].", TEXT, "wrong"),
        (f"{fallback('tr')} Altı ayda bir [1]", TEXT, "refused"),
        (fallback("en"), TEXT, "refused"),
    ],
)
def test_outcome_of_an_article(text: str, passage: str, word: str) -> None:
    assert found(text, passage).word == word


def test_structured_abstention_is_a_refusal() -> None:
    one = found("altı ayda bir", declined="weak_evidence")
    assert (one.word, one.is_exact, one.cites_gold) == ("refused", False, False)


def test_passage_that_was_not_offered_is_no_context() -> None:
    assert found("Altı ayda bir [1].", context=()).word == "not_in_context"


def test_half_of_the_words_is_right_but_not_exact() -> None:
    one = found("Altı ayda [1].")
    assert (one.word, one.is_exact) == ("correct", False)


def test_groups_tell_whether_the_answer_was_retrieved() -> None:
    missing = outcome(case(chunk(TEXT, ordinal=4)), told("?"), by_page=False)
    removed = outcome(case(group="own_article_removed"), told("?"), by_page=False)
    assert [found("?").group, missing.group, removed.group] == [
        "retrieved", "not_retrieved", "own_article_removed",
    ]  # fmt: skip


def law(text: str, **fields: Any) -> Outcome:  # noqa: ANN401 - by field
    page = chunk("Kazalar üç iş günü içinde, altı ay saklanır.", file="k.pdf", page=9)
    asked = {"gold": "üç iş günü|3 iş günü\naltı ay", "pages": frozenset({9}), "document": "k.pdf"}
    told_of = told(text, context=("k.pdf:0",), cited=("k.pdf:0",), pages=(("k.pdf", 9),))
    return outcome(case(page, **(asked | fields)), told_of, by_page=True)


@pytest.mark.parametrize(
    ("text", "fields", "word"),
    [
        ("3 iş günü, altı ayda [1]", {}, "correct"),
        ("üç iş günü [1]", {}, "wrong"),
        ("üç iş günü, altı ay [1]", {"group": "unanswerable", "gold": ""}, "wrong"),
        (fallback("tr"), {"group": "unanswerable", "gold": ""}, "refused"),
        ("herhangi bir şey [1]", {"gold": ""}, "correct"),
        ("herhangi bir şey [1]", {"gold": "", "pages": frozenset({8})}, "wrong"),
        ("herhangi bir şey [1]", {"gold": "", "pages": frozenset()}, "correct"),
    ],
)
def test_outcome_of_a_law(text: str, fields: dict[str, Any], word: str) -> None:
    assert law(text, **fields).word == word


def test_law_tells_whether_the_right_page_is_cited() -> None:
    assert law("üç iş günü, altı ay").cites_page
    assert not law("üç iş günü, altı ay", pages=frozenset({8})).cites_page


def test_rows_have_shares_with_intervals() -> None:
    right, wrong, refused = found("Altı ayda bir"), found("Her gün"), found(fallback("tr"))
    (row,) = rows([right, right, wrong, refused])
    assert (row["group"], row["n"], row["correct"], row["refused"]) == ("retrieved", 4, 0.5, 0.25)
    assert row["correct_low"] <= 0.5 <= row["correct_high"]
    assert (row["cited"], row["cited_gold"], row["failed"]) == (1.0, 1.0, 0)


def test_row_without_answers_has_no_citations() -> None:
    (row,) = rows([found(fallback("tr"))])
    assert row["cited"] is row["cited_gold"] is row["cited_low"] is None


def test_refusals_are_counted_apart_where_no_passage_has_the_answer() -> None:
    there = case(chunk(TEXT), group="own_article_removed")
    absent = case(chunk("Tüpler kırmızıdır."), group="own_article_removed")
    asked = [(there, told("Altı ayda bir [1]")), (absent, told(fallback("tr")))]
    (row,) = rows([outcome(each, answer, by_page=False) for each, answer in asked])
    assert (row["refused"], row["refused_absent"]) == (0.5, 1.0)


def test_only_answerable_questions_have_a_right_page() -> None:
    answerable = law("üç iş günü, altı ay")
    unanswerable = law("üç iş günü", group="unanswerable", gold="")
    first, second = rows([unanswerable, answerable])
    assert first["page_cited"] == 1
    assert "page_cited" not in second
