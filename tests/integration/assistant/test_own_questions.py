from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from docrag.answer.models import Models
from docrag.api import DocumentError
from docrag.assistant import Assistant
from eval.answer_outcomes import outcome
from eval.answering import answered
from eval.own_questions import own_cases

TEXT = "Yangın tüpleri altı ayda bir kontrol edilir. Kontrolü bakım birimi yapar."
Write = Callable[..., Path]


@pytest.fixture
def stored(assistant: Assistant) -> Assistant:
    assistant.ingest(TEXT.encode(), filename="yangın.txt", title="Yangın talimatı", roles=["isg"])
    return assistant


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(*rows: dict[str, object]) -> Path:
        path = tmp_path / "sorular.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return path

    return to_file


def test_own_question_is_answered_and_judged(stored: Assistant, write: Write) -> None:
    question = "Yangın tüpleri ne sıklıkla kontrol edilir?"
    path = write(
        {"question": question, "document": "yangın TALİMATI", "must_contain": ["altı ay|6 ay"]},
        {"question": "Kantinde hangi yemekler var?"},
    )
    cases, left = own_cases(path, stored)
    assert left == 0
    assert [case.group for case in cases] == ["answerable", "unanswerable"]
    # The gate lets everything pass: it is tested elsewhere.
    settings = replace(stored.settings, evidence=0.0)
    ((case, told),) = answered(cases[:1], settings=settings, models=Models())
    assert outcome(case, told, by_page=True).word == "correct"


def test_exported_feedback_is_taken_where_it_is_complete(stored: Assistant, write: Write) -> None:
    path = write(
        {"question": "yangın tüpü?", "document": "yangın.txt", "page": None, "answerable": True},
        {"question": "yemek?", "document": "", "page": None, "answerable": False},
        {"question": "izin?", "document": "", "page": None, "answerable": None},
        {"question": "mola?", "document": "", "page": None, "answerable": True},
    )
    cases, left = own_cases(path, stored)
    assert ([case.group for case in cases], left) == (["answerable", "unanswerable"], 2)


def test_page_and_document_say_which_chunks_are_right(stored: Assistant, write: Write) -> None:
    path = write({"question": "yangın tüpleri kontrol", "document": "yangın.txt", "page": 2})
    (case,), _ = own_cases(path, stored)
    assert (case.document, case.pages, case.gold_chunks) == (
        "yangın.txt",
        frozenset({2}),
        frozenset(),
    )
    (case,), _ = own_cases(write({"question": "yangın", "document": "yangın.txt"}), stored)
    assert case.gold_chunks == {"yangın:0"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"soru": "?"}, "line 1: write an object with a `question`"),
        ({"question": "?", "document": "yok.pdf"}, "line 1: the document is not stored"),
    ],
)
def test_wrong_line_is_told(
    stored: Assistant, write: Write, row: dict[str, object], message: str
) -> None:
    with pytest.raises(DocumentError, match=message):
        own_cases(write(row), stored)


def test_file_without_questions_is_told(assistant: Assistant, tmp_path: Path) -> None:
    (path := tmp_path / "leer.jsonl").write_text("\n")
    with pytest.raises(DocumentError, match="holds no questions"):
        own_cases(path, assistant)
