from __future__ import annotations

import functools
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from docrag.answer.subject import content_words
from docrag.api import lower
from docrag.loaders.pdf import PdfLoader

_ROOT: Final = Path(__file__).parents[3]
QUESTIONS: Final[list[dict[str, Any]]] = [
    json.loads(line)
    for line in (_ROOT / "eval" / "law_train.jsonl").read_text("utf-8").splitlines()
]
DOCUMENTS: Final = sorted({question["document"] for question in QUESTIONS})


def test_train_questions_are_of_both_kinds() -> None:
    assert Counter(question["answerable"] for question in QUESTIONS) == {True: 260, False: 154}


@pytest.mark.parametrize("field", ["id", "question"])
def test_train_questions_are_each_once(field: str) -> None:
    assert len({question[field] for question in QUESTIONS}) == len(QUESTIONS)


def test_train_questions_are_none_of_dev() -> None:
    """Law 6331 is asked in both parts, by people who did not know each other's questions."""
    assert {question["split"] for question in QUESTIONS} == {"train"}
    asked = Path(os.environ.get("DATA", _ROOT.parent / "shared" / "data")) / "questions"
    if not asked.is_dir():
        pytest.skip("SHARED TEST DATA ABSENT: no questions; set DATA")
    lines = (asked / "law6331_dev.jsonl").read_text("utf-8").splitlines()
    dev = {_key(json.loads(line)["question"]) for line in lines if line.strip()}
    assert dev.isdisjoint(_key(question["question"]) for question in QUESTIONS)


@pytest.mark.parametrize("field", ["article", "page", "must_contain"])
def test_only_answerable_question_has(field: str) -> None:
    assert all(bool(question[field]) is question["answerable"] for question in QUESTIONS)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_pages_hold_what_answer_must_contain(document: str) -> None:
    pages = _pages(document)
    for question in (q for q in QUESTIONS if q["document"] == document):
        text = " ".join(pages[number] for number in question["page"])
        for group in question["must_contain"]:
            assert any(_plain(phrase) in text for phrase in group.split("|")), question["id"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_page_of_question_holds_part_of_answer(document: str) -> None:
    pages = _pages(document)
    for question in (q for q in QUESTIONS if q["document"] == document):
        phrases = [_plain(part) for group in question["must_contain"] for part in group.split("|")]
        for number in question["page"]:
            assert any(phrase in pages[number] for phrase in phrases), (question["id"], number)


def _key(text: str) -> frozenset[str]:
    """Content words by their first five letters, whatever their order."""
    return frozenset(word[:5] for word in content_words(text))


@functools.cache
def _pages(document: str) -> dict[int | None, str]:
    folder = Path(os.environ.get("DATA", _ROOT.parent / "shared" / "data"))
    file = folder / "docs" / "tr" / document
    if not file.is_file():
        pytest.skip(f"SHARED TEST DATA ABSENT: no docs/tr/{document}; set DATA")
    pages = PdfLoader().load(file.read_bytes(), filename=document)
    return {page.number: _plain(page.text) for page in pages}


def _plain(text: str) -> str:
    return " ".join(lower(text).split())
