"""``docrag audit``: what is kept of an answer, and for how long."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine, text

from docrag import samples
from docrag.cli import main

Docrag: TypeAlias = Callable[..., Result]

QUESTION = "Forklift bina içinde en fazla kaç km hızla gidebilir?"
NOWHERE = "Mars gezegeninde kaç kedi İstanbul'dan gelmiştir?"


@pytest.fixture
def docrag(database_url: str, tmp_path: Path) -> Docrag:
    """Runs a command on a database of its own that holds one document."""
    base = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
    }

    def run(*arguments: str, **more: str) -> Result:
        return CliRunner().invoke(main, arguments, env={**base, **more})

    path = tmp_path / "forklift.txt"
    path.write_bytes(samples.read("forklift_is_talimati.txt"))
    assert run("role", "create", "uretim").exit_code == 0
    assert run("ingest", str(path), "--role", "uretim").exit_code == 0
    return run


def asked(docrag: Docrag, question: str = QUESTION, **settings: str) -> None:
    """Ask, whatever the answer."""
    assert docrag("ask", question, "--role", "uretim", **settings).exit_code in {0, 3}


def rows(docrag: Docrag, *options: str) -> list[dict[str, Any]]:
    """The audit as JSON."""
    result = docrag("audit", "--json", *options)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def age(engine: Engine, days: int) -> None:
    """Make every row older, as its owner may."""
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE answers SET created_at = now() - interval '{days} days'"))


def test_empty_audit_says_so(docrag: Docrag) -> None:
    result = docrag("audit")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "no answers" in result.stderr


def test_table_tells_what_happened(docrag: Docrag) -> None:
    asked(docrag)
    asked(docrag, NOWHERE)
    heads, newest, oldest = docrag("audit").stdout.splitlines()

    assert heads.split()[:6] == ["time", "user", "key", "frontend", "channel", "result"]
    assert "abstained" in newest
    assert "answered" in oldest
    assert "question" not in heads


def test_table_tells_what_was_checked(docrag: Docrag, engine: Engine) -> None:
    asked(docrag)
    change = "retrieval = 0.814, citation_coverage = 1, completeness = NULL, unsupported = 2"
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE answers SET {change}, flags = '{{personal:iban}}'"))
    line = docrag("audit").stdout.splitlines()[1]
    assert re.search(r" 81/100/\? +2 +personal:iban ", line)
    (row,) = rows(docrag)
    assert (row["retrieval"], row["unsupported"], row["flags"]) == (0.814, 2, ["personal:iban"])


def test_question_is_not_kept_by_default(docrag: Docrag) -> None:
    asked(docrag)

    assert [row["question"] for row in rows(docrag)] == [None]


def test_question_is_kept_where_the_setting_says_so(docrag: Docrag) -> None:
    asked(docrag, DOCRAG_KEEP_QUESTIONS="yes")

    assert [row["question"] for row in rows(docrag)] == [QUESTION]
    assert "Forklift bina içinde" in docrag("audit").stdout


def test_limit_takes_the_newest(docrag: Docrag) -> None:
    for question in (QUESTION, NOWHERE):
        asked(docrag, question, DOCRAG_KEEP_QUESTIONS="yes")

    assert [row["question"] for row in rows(docrag, "--limit", "1")] == [NOWHERE]


@pytest.mark.parametrize(
    ("option", "question"), [("--abstained", NOWHERE), ("--answered", QUESTION)]
)
def test_result_filters(docrag: Docrag, option: str, question: str) -> None:
    for each in (QUESTION, NOWHERE):
        asked(docrag, each, DOCRAG_KEEP_QUESTIONS="yes")

    assert [row["question"] for row in rows(docrag, option)] == [question]


def test_user_filters(docrag: Docrag) -> None:
    asked(docrag)

    assert rows(docrag, "--user", "ayşe") == []


def test_prune_erases_old_questions(docrag: Docrag, engine: Engine) -> None:
    asked(docrag, DOCRAG_KEEP_QUESTIONS="yes")
    age(engine, 8)
    result = docrag("audit", "prune", DOCRAG_QUESTION_DAYS="7")

    assert "erased 1 question and the words of 0 opinions, removed 0 rows" in result.stderr
    assert [row["question"] for row in rows(docrag)] == [None]


def test_prune_removes_old_rows(docrag: Docrag, engine: Engine) -> None:
    asked(docrag)
    age(engine, 400)
    result = docrag("audit", "prune", "--json")

    assert json.loads(result.stdout) == {"questions": 0, "rows": 1, "feedback": 0}
    assert rows(docrag) == []


def test_prune_keeps_all_rows_where_the_setting_says_so(docrag: Docrag, engine: Engine) -> None:
    asked(docrag)
    age(engine, 4000)
    docrag("audit", "prune", DOCRAG_AUDIT_DAYS="0")

    assert len(rows(docrag)) == 1


def test_prune_leaves_what_is_young(docrag: Docrag) -> None:
    asked(docrag, DOCRAG_KEEP_QUESTIONS="yes")
    docrag("audit", "prune")

    assert [row["question"] for row in rows(docrag)] == [QUESTION]
