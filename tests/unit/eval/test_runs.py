from __future__ import annotations

from pathlib import Path

import pytest

from eval import report, runs


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    monkeypatch.setattr(runs, "FOLDER", tmp_path / "runs")


def test_run_is_read_by_question() -> None:
    runs.write("dev", [{"question": "ş1", "chunks": ["0:1"], "scores": [2.5]}])
    assert runs.read("dev") == {"ş1": {"question": "ş1", "chunks": ["0:1"], "scores": [2.5]}}


def test_settings_are_kept_beside_the_runs() -> None:
    assert runs.about("dev") == {}
    runs.describe("dev", {"depth": 10})
    kept = runs.about("dev")
    assert kept["settings"]["depth"] == 10
    assert {"commit", "date"} <= kept.keys()


def test_missing_run_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        runs.read("yok")
