"""Jobs on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

from docrag.cli import main

Docrag: TypeAlias = Callable[..., Result]


@pytest.fixture
def docrag(database_url: str, tmp_path: Path) -> Docrag:
    """Runs a command on a database of its own that knows a role."""
    env = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "none",
        "DOCRAG_RETRIEVER": "lexical",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
    }

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env=env)

    assert run("role", "create", "isg").exit_code == 0
    return run


@pytest.fixture
def failed(docrag: Docrag, tmp_path: Path) -> dict[str, str]:
    """The job of a document without a word."""
    blank = tmp_path / "boş.txt"
    blank.write_text(" \n ", encoding="utf-8")
    assert docrag("ingest", str(blank), "--role", "isg").exit_code == 1
    (job,) = json.loads(docrag("jobs", "list", "--json").stdout)
    found: dict[str, str] = job
    return found


def test_failed_document_is_retried_and_cancelled(docrag: Docrag, failed: dict[str, str]) -> None:
    assert failed["state"] == "failed" and "empty" in failed["error"]
    assert docrag("jobs", "retry", failed["id"]).exit_code == 0
    (waiting,) = json.loads(docrag("jobs", "list", "--live", "--json").stdout)
    assert waiting["document_id"] == failed["document_id"]
    assert docrag("jobs", "cancel", waiting["id"]).exit_code == 0
    assert docrag("jobs", "list", "--live").stderr.strip().endswith("no jobs")
    assert docrag("jobs", "retry", failed["document_id"]).exit_code == 0


def test_unknown_job_is_one_line(docrag: Docrag, failed: dict[str, str]) -> None:
    result = docrag("jobs", "cancel", "yok")
    assert result.exit_code == 1
    assert result.stderr == "docrag: error: document 'yok' was not found\n"


def test_no_jobs_are_no_list(docrag: Docrag) -> None:
    assert docrag("jobs", "list", "--most", "0").exit_code == 2
