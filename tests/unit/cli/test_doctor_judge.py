"""The doctor asks the judge, with whatever it needs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from docrag.cli import main
from docrag.testing.judge import FakeClassifier
from docrag.testing.openai import FakeOpenAI


@pytest.fixture
def fake() -> Iterator[FakeClassifier]:
    with FakeClassifier() as server:
        yield server


def look(folder: Path, judge: str, options: dict[str, object], **env: str) -> tuple[bool, str]:
    """What the doctor says of this judge with these options."""
    given = {
        "DOCRAG_INSTANCE": str(folder),
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_JUDGE": judge,
        "DOCRAG_JUDGE_OPTIONS": json.dumps(options),
    }
    result = CliRunner().invoke(main, ["doctor", "--json"], env=given | env)
    rows = {row["check"]: row for row in json.loads(result.stdout)}
    return rows["judge"]["ok"], rows["judge"]["detail"]


def test_doctor_asks_the_judge(fake: FakeClassifier, tmp_path: Path) -> None:
    assert look(tmp_path, "http", {"url": fake.url}) == (True, "http, 1.00 for a repetition")
    assert fake.calls == 1


def test_doctor_reports_a_judge_that_fails(fake: FakeClassifier, tmp_path: Path) -> None:
    fake.fault = "401"
    ok, detail = look(tmp_path, "http", {"url": fake.url, "api_key": "sk-gizli"})
    assert not ok
    assert "answered 401" in detail
    assert "gizli" not in detail


def test_doctor_hands_the_model_to_the_judge(tmp_path: Path) -> None:
    with FakeOpenAI(answer="Pasaja göre evet") as server:
        options = json.dumps({"url": f"{server.url}/v1", "model": "fake-model"})
        env = {"DOCRAG_LLM": "openai", "DOCRAG_LLM_OPTIONS": options}
        found = look(tmp_path, "llm", {}, **env)
    assert found == (True, "llm, no verdict for a repetition")
