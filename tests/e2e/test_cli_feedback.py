"""``docrag feedback``: what people said, and the questions that are made of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from docrag import samples
from docrag.answer.calibration import Expectation
from docrag.cli import main
from docrag.cli.questionfile import read
from docrag.store import Store
from docrag.store.ratings import Feedback, Rating, Reason

Docrag: TypeAlias = Callable[..., Result]

QUESTION = "Forklift bina içinde en fazla kaç km hızla gidebilir?"
NOWHERE = "Mars gezegeninde kaç kedi İstanbul'dan gelmiştir?"
UP, DOWN = Feedback(rating=Rating.UP), Feedback(rating=Rating.DOWN, reason=Reason.WRONG)


@pytest.fixture
def docrag(database_url: str, tmp_path: Path) -> Docrag:
    """Runs a command on a database of its own that holds one document and one user."""
    base = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "none",
        "DOCRAG_RETRIEVER": "lexical",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
    }

    def run(*arguments: str, **more: str) -> Result:
        return CliRunner().invoke(main, arguments, env={**base, **more})

    path = tmp_path / "forklift.txt"
    path.write_bytes(samples.read("forklift_is_talimati.txt"))
    assert run("role", "create", "uretim").exit_code == 0
    assert run("ingest", str(path), "--role", "uretim").exit_code == 0
    return run


@pytest.fixture
def rated(docrag: Docrag, store: Store) -> Callable[..., None]:
    """Asks a question, and says something of the answer in the name of a user."""
    user = store.users.create("ışık", password_hash="özet", roles=[])

    def rate(feedback: Feedback, question: str = QUESTION, *, kept: bool = True) -> None:
        keep = {"DOCRAG_KEEP_QUESTIONS": "yes" if kept else "no"}
        assert docrag("ask", question, "--role", "uretim", **keep).exit_code in {0, 3}
        (entry,) = store.answers.list(limit=1)
        store.feedback.give(entry.answer.id, feedback, user_id=user.id, every=True)

    return rate


def exported(docrag: Docrag, *options: str) -> tuple[list[dict[str, Any]], str]:
    """The lines of an export, and what is told beside."""
    result = docrag("feedback", "export", *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr


def test_empty_list_says_so(docrag: Docrag) -> None:
    result = docrag("feedback", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no feedback" in result.stderr


def test_list_shows_what_was_said(docrag: Docrag, rated: Callable[..., None]) -> None:
    rated(Feedback(rating=Rating.DOWN, reason=Reason.OUTDATED, comment="eski\n\x1b[2Jsürüm"))
    line = docrag("feedback", "list").stdout.splitlines()[1]
    assert "\x1b" not in line
    for word in ("ışık", "down", "outdated", "eski [2Jsürüm", QUESTION):
        assert word in line


def test_list_is_filtered_by_rating(docrag: Docrag, rated: Callable[..., None]) -> None:
    rated(UP)
    rated(DOWN)
    found = json.loads(docrag("feedback", "list", "--rating", "up", "--json").stdout)
    assert [(item["rating"], item["question"]) for item in found] == [("up", QUESTION)]


def test_good_answer_becomes_a_question_with_its_place(
    docrag: Docrag, rated: Callable[..., None], tmp_path: Path
) -> None:
    rated(UP)
    lines, told = exported(docrag, "--ready")
    assert (lines[0]["document"], lines[0]["answerable"]) == ("forklift.txt", True)
    path = tmp_path / "sorular.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert list(read(path)) == [Expectation(question=QUESTION, document="forklift.txt", page=None)]
    assert "1 question written, 0 entries left out" in told


def test_bad_answer_waits_for_a_person(docrag: Docrag, rated: Callable[..., None]) -> None:
    rated(Feedback(rating=Rating.DOWN, reason=Reason.NOT_IN_DOCUMENTS, comment="madde 3"), NOWHERE)
    (line,), _ = exported(docrag)
    assert line | {"answer": "", "date": ""} == {
        "question": NOWHERE,
        "document": "",
        "page": None,
        "answerable": True,
        "rating": "down",
        "reason": "not_in_documents",
        "comment": "madde 3",
        "answer": "",
        "date": "",
    }


def test_right_abstention_becomes_an_unanswerable_question(
    docrag: Docrag, rated: Callable[..., None]
) -> None:
    rated(UP, NOWHERE)
    (line,), _ = exported(docrag)
    assert (line["document"], line["answerable"]) == ("", False)


def test_ready_lines_leave_out_what_a_person_must_fill_in(
    docrag: Docrag, rated: Callable[..., None]
) -> None:
    rated(DOWN)
    rated(UP, NOWHERE)
    lines, told = exported(docrag, "--ready")
    assert [(line["document"], line["answerable"]) for line in lines] == [("", False)]
    assert "1: a person must say where the answer stands" in told


def test_question_comes_from_the_person_where_the_audit_has_none(
    docrag: Docrag, rated: Callable[..., None]
) -> None:
    rated(Feedback(rating=Rating.UP, question="  Kaç km\nhızla? "), kept=False)
    rated(UP, kept=False)
    lines, told = exported(docrag)
    assert [line["question"] for line in lines] == ["Kaç km hızla?"]
    assert "1: the question is not known" in told


def test_what_is_gone_or_repeated_is_told(
    docrag: Docrag, rated: Callable[..., None], store: Store
) -> None:
    rated(UP)
    rated(UP)
    assert "1: another entry says the same" in exported(docrag)[1]
    with store._sessions.begin() as session:
        session.execute(text("DELETE FROM documents"))
    lines, told = exported(docrag)
    assert lines == []
    assert "2: the cited passages are gone" in told
