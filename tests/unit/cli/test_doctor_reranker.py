"""The doctor asks the reranker, also one that would keep the order without a word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from docrag.cli import main
from docrag.testing.rerank import FakeReranker


@pytest.fixture
def fake() -> Iterator[FakeReranker]:
    with FakeReranker() as server:
        yield server


def look(folder: Path, **options: object) -> tuple[bool, str]:
    """What the doctor says of the reranker ``http`` with these options."""
    env = {
        "DOCRAG_INSTANCE": str(folder),
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_RERANKER": "http",
        "DOCRAG_RERANKER_OPTIONS": json.dumps(options),
    }
    result = CliRunner().invoke(main, ["doctor", "--json"], env=env)
    rows = {row["check"]: row for row in json.loads(result.stdout)}
    return rows["reranker"]["ok"], rows["reranker"]["detail"]


def test_doctor_asks_the_reranker(fake: FakeReranker, tmp_path: Path) -> None:
    assert look(tmp_path, url=fake.url, model="m") == (True, "http")
    assert fake.calls == 1


@pytest.mark.parametrize("on_error", ["fail", "keep"])
def test_doctor_reports_a_reranker_that_fails(
    fake: FakeReranker, tmp_path: Path, on_error: str
) -> None:
    fake.fault = "401"
    ok, detail = look(tmp_path, url=fake.url, api_key="sk-gizli", on_error=on_error)
    assert not ok
    assert "answered 401" in detail
    assert "gizli" not in detail


def test_doctor_reports_a_wrong_option(tmp_path: Path) -> None:
    ok, detail = look(tmp_path, adres="http://x")
    assert not ok
    assert "it takes url, shape" in detail
