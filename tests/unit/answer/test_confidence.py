"""The breakdown of an answer's confidence, each part with its reason."""

from __future__ import annotations

import pytest

from docrag.answer.confidence import grade, parts, reason_in, retrieval_grade
from docrag.api import CheckedSentence, Confidence, Grade

QUESTION = "Yıllık izin kaç gündür ve başvuru nereye yapılır?"
LEAVE = "Yıllık ücretli izin süresi on dört gündür."


def sentence(*, supported: bool = True, claim: bool = True) -> CheckedSentence:
    """A checked sentence."""
    return CheckedSentence(text="x", citations=(1,), is_supported=supported, is_claim=claim)


def graded(
    *sentences: CheckedSentence, text: str = LEAVE, cited: str = "", quoted: bool = False
) -> Confidence:
    """The confidence of an answer to the question."""
    return grade(
        QUESTION,
        text,
        [cited],
        sentences,
        retrieval=retrieval_grade(0.9, (), language="tr"),
        is_quoted=quoted,
        language="tr",
    )


def test_retrieval_names_what_is_missing() -> None:
    told = retrieval_grade(0.256, ("baret",), language="tr")
    assert told.value == 0.256
    assert "%26" in told.reason
    assert "baret" in told.reason


def test_citations_count_only_claims() -> None:
    one = graded(sentence(), sentence(supported=False), sentence(claim=False)).citations
    assert one.value == 0.5
    assert one.reason == "2 iddianın 1 tanesi gösterilen kaynakta doğrulandı."


def test_quoted_answer_needs_no_verification() -> None:
    told = graded(quoted=True).citations
    assert told.value == 1.0
    assert told.reason == "Cümleler ve tablo satırları kaynaktan aktarıldı."


def test_answer_without_claims_has_no_citation_coverage() -> None:
    assert graded(sentence(claim=False)).citations.value == 0.0


def test_missed_part_of_the_question_is_named() -> None:
    told = graded(sentence()).completeness
    assert told.value == 0.5
    assert "başvuru nereye yapılır" in told.reason


def test_part_that_a_cited_source_addresses_counts() -> None:
    told = graded(sentence(), cited="Başvuru insan kaynaklarına yapılır.").completeness
    assert told.value == 1.0


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Yıllık izin kaç gün?", 1),
        (QUESTION, 2),
        ("Kim düzenler, ne zaman verilir?", 2),
        ("Baret ve eldiven zorunlu mu?", 1),
        ("İzin kaç gün? Kim onaylar?", 2),
        ("Merhaba, izin kaç gün?", 1),
    ],
)
def test_question_is_split_where_it_asks_twice(question: str, expected: int) -> None:
    assert len(parts(question)) == expected


@pytest.mark.parametrize("missing", [(), ("ığdır", "a; b.")])
def test_reason_of_what_was_found_is_told_in_another_language(missing: tuple[str, ...]) -> None:
    turkish, english = (retrieval_grade(0.256, missing, language=each) for each in ("tr", "en"))
    assert reason_in(turkish, "en") == english.reason
    assert reason_in(english, "tr") == turkish.reason


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize("checked", [None, (), (sentence(), sentence(supported=False))])
@pytest.mark.parametrize("text", [LEAVE, "başvuru yapılır " + LEAVE])
def test_every_reason_is_told_in_another_language(
    quoted: bool, checked: tuple[CheckedSentence, ...] | None, text: str
) -> None:
    turkish, english = (
        grade(
            QUESTION, text, [], checked, is_quoted=quoted, language=each,
            retrieval=retrieval_grade(1, (), language=each),
        )
        for each in ("tr", "en")
    )  # fmt: skip
    assert reason_in(turkish.citations, "en") == english.citations.reason
    assert reason_in(turkish.completeness, "en") == english.completeness.reason
    assert turkish.completeness.reason != english.completeness.reason


def test_reason_of_unknown_kind_stays_as_it_is() -> None:
    assert reason_in(Grade(value=0.5, reason="neden"), "en") == "neden"


def test_quoted_answer_that_lacks_the_verb_is_not_complete() -> None:
    told = grade(
        "Yıllık izinden kimler yararlanamaz?",
        "Yıllık izin 15 iş günüdür. [1]",
        ["Yıllık izin 15 iş günüdür. Stajyerlere uygulanmaz."],
        None,
        retrieval=retrieval_grade(0.9, (), language="tr"),
        is_quoted=True,
        language="tr",
    ).completeness
    assert told.value == 0.6667
    assert told.reason.endswith("geçmeyen: yararlanamaz.")
    assert "2 of 3 words" in reason_in(told, "en")


def test_quoted_answer_in_other_words_is_complete() -> None:
    told = grade(
        "Maaşı kim onaylıyor?",
        "Ücreti müdür onaylar. [1]",
        ["Ücreti müdür onaylar."],
        None,
        retrieval=retrieval_grade(0.9, (), language="tr"),
        is_quoted=True,
        language="tr",
    ).completeness
    assert told.value == 1.0
