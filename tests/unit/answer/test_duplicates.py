"""Copies of a passage among what was found."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.answer.duplicates import are_copies, without_copies
from docrag.api import ScoredChunk, StoredChunk
from tests.unit.answer.sources import chunk

RULE = (
    "Çalışanlar, iş sağlığı ve güvenliği ile ilgili aldıkları eğitim ve işverenin bu konudaki "
    "talimatları doğrultusunda, kendilerinin ve hareketlerinden veya yaptıkları işten etkilenen "
    "diğer çalışanların sağlık ve güvenliklerini tehlikeye düşürmemekle yükümlüdür. Kaza, ramak "
    "kala olay ve meslek hastalıkları 10 gün içinde yetkili birime yazılı olarak bildirilir; "
    "bildirim için birimlerde bulunan tutanak doldurulur ve amir tarafından imzalanır. Işıklı "
    "uyarı levhaları her vardiyanın başında gözden geçirilir, eksikler aynı gün tamamlanır ve "
    "yapılan işlemler vardiya defterine kaydedilir."
)


def found(
    place: int,
    text: str,
    *,
    document: str = "d1",
    score: float = 1.0,
    title: str = "Talimat",
    section: str = "",
) -> ScoredChunk:
    scored = chunk(place, text, document=document, section=section)
    return replace(scored, score=score, chunk=replace(scored.chunk, title=title))


def copies(second: str, first: str = RULE) -> bool:
    return are_copies(found(1, first).chunk, found(2, second, document="d2").chunk)


@pytest.mark.parametrize(
    "other",
    [
        RULE,
        RULE.replace("Çalışanlar, iş", "ÇALIŞANLAR iş"),
        RULE.replace("ş", "s\u0327"),
        RULE.replace("ı", "i").replace("ş", "s"),
        RULE.replace("\u0020", "\n"),
        RULE.replace("tutanak", "tutanakk"),
        "Yürürlükteki metin: " + RULE,
    ],
    ids=["same", "capitals", "decomposed", "ascii", "line ends", "a letter", "a heading more"],
)
def test_other_spelling_is_a_copy(other: str) -> None:
    assert copies(other)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("10 gün", "15 gün"),
        ("10 gün", "-10 gün"),
        ("10 gün", "1.0 gün"),
        ("10 gün", "on beş gün"),
        ("10 gün içinde", "10 gün beş saat içinde"),
        ("her vardiyanın", "iki vardiyanın"),
        ("yükümlüdür", "yükümlü değildir"),
        ("bildirilir", "bildirilmez"),
        ("imzalanır", "imzalanmaz"),
        ("yazılı", "sözlü"),
        ("amir", "müdür"),
        ("tamamlanır", "tamamlanır. Stajyerler hariç"),
    ],
)
def test_other_fact_is_no_copy(old: str, new: str) -> None:
    assert RULE.count(old) == 1
    assert not copies(RULE.replace(old, new))


def test_numbers_that_change_places_are_other_facts() -> None:
    first = RULE + " İlk uyarı 5 gün, ikinci uyarı 7 gün sonra yapılır."
    second = RULE + " İlk uyarı 7 gün, ikinci uyarı 5 gün sonra yapılır."
    assert not copies(first, second)


def test_short_passage_needs_its_title() -> None:
    leave = found(1, "Süre on dört gündür.", title="Yıllık izin").chunk
    sick = found(2, "Süre on dört gündür.", document="d2", title="Hastalık izni").chunk
    assert not are_copies(leave, sick)
    assert are_copies(leave, replace(sick, title="YILLIK İZİN"))


def test_same_words_in_another_section_are_no_copy() -> None:
    first, second = found(1, RULE, section="Yıllık izin"), found(2, RULE, section="Hastalık izni")
    assert not are_copies(first.chunk, second.chunk)


def test_better_ranked_copy_stays_and_the_order_too() -> None:
    ranked = [
        found(5, RULE, score=9.0),
        found(6, "Başka bir konu.", score=8.0),
        found(7, RULE, document="d2", score=7.0),
    ]
    assert without_copies(ranked, 9) == ranked[:2]


def test_newer_document_stays_where_both_score_the_same() -> None:
    older, newer = found(5, RULE, score=9.0), found(7, RULE, document="d2", score=8.99)
    between = found(6, "Başka bir konu.", document="d3", score=8.995)
    kept = without_copies([older, between, newer], 9)
    assert [item.chunk.chunk_id for item in kept] == [7, 6]
    assert [item.score for item in kept] == [9.0, 8.995]


def test_older_document_never_replaces_the_newer() -> None:
    ranked = [found(7, RULE, document="d2"), found(5, RULE)]
    assert without_copies(ranked, 9) == ranked[:1]


def test_earlier_page_of_one_document_stays() -> None:
    ranked = [found(5, RULE), found(7, RULE)]
    assert without_copies(ranked, 9) == ranked[:1]


def test_scores_below_zero_compare_as_well() -> None:
    ranked = [found(5, RULE, score=-2.0), found(7, RULE, document="d2", score=-2.5)]
    assert without_copies(ranked, 9) == ranked[:1]


@pytest.mark.parametrize("text", ["", "…", "!", "\n"])
def test_passages_without_words_are_compared(text: str) -> None:
    assert len(without_copies([found(1, text), found(2, text, document="d2")], 9)) == 1


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([0.0, 0.001, 0.01, 1.0]))),
    st.integers(min_value=1, max_value=6),
    st.sampled_from([-1.0, 0.0, 1.0]),
    st.randoms(),
)
def test_looking_at_all_that_was_found_gives_the_same_best(
    steps: list[tuple[str, float]], k: int, score: float, random: Random
) -> None:
    ids = random.sample(range(1, 1000), len(steps))
    ranked = []
    for chunk_id, (letter, step) in zip(ids, steps, strict=True):
        score -= step
        ranked.append(found(chunk_id, letter, document=f"d{chunk_id}", score=score))
    best = without_copies(ranked, k)
    assert best == without_copies(ranked, len(ranked) + 1)[:k]
    assert [item.score for item in best] == sorted((item.score for item in best), reverse=True)


def test_nothing_found_stays_nothing() -> None:
    assert without_copies([], 9) == []


@pytest.fixture(scope="module")
def articles() -> list[list[StoredChunk]]:
    """The paragraphs of each article of TQuAD's dev set."""
    folder = Path(os.environ.get("DATA", Path(__file__).parents[4] / "shared" / "data"))
    path = folder / "tquad" / "dev-v0.1.json"
    if not path.is_file():
        pytest.skip(f"SHARED TEST DATA ABSENT: no {path.name!r}; set DATA")
    return [
        [
            found(place, paragraph["context"], title=article["title"]).chunk
            for place, paragraph in enumerate(article["paragraphs"], start=1)
        ]
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]
    ]


def test_paragraphs_of_real_articles_are_no_copies(articles: list[list[StoredChunk]]) -> None:
    pairs = [pair for article in articles for pair in combinations(article, 2)]
    alike = [(one.text, other.text) for one, other in pairs if are_copies(one, other)]
    assert len(pairs) > 900
    assert [pair for pair in alike if pair[0].split() != pair[1].split()] == []


def test_real_paragraph_with_another_number_is_no_copy(articles: list[list[StoredChunk]]) -> None:
    numbered = [one for article in articles for one in article if re.search(r"\d", one.text)]
    changed = [replace(one, text=re.sub(r"\d", _next, one.text, count=1)) for one in numbered]
    assert len(numbered) > 100
    assert not any(map(are_copies, numbered, changed))


def _next(digit: re.Match[str]) -> str:
    return str((int(digit[0]) + 1) % 10)
