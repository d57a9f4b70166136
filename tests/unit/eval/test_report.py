from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval import report


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    return tmp_path


def test_rows_of_another_benchmark_stay(folder: Path) -> None:
    report.write("x", {}, [{"stage": "dense", "p50_ms": 1}])
    report.write("x", {"n": 2}, [{"retriever": "hybrid"}], keep="stage")
    report.write("x", {"n": 3}, [{"retriever": "lexical"}], keep="stage")
    written = json.loads((folder / "x.json").read_text("utf-8"))
    assert written["rows"] == [{"retriever": "lexical"}, {"stage": "dense", "p50_ms": 1}]
    assert written["settings"]["n"] == 3


def test_rows_are_replaced_otherwise(folder: Path) -> None:
    report.write("x", {}, [{"stage": "dense"}])
    report.write("x", {}, [{"stage": "lexical"}])
    assert json.loads((folder / "x.json").read_text("utf-8"))["rows"] == [{"stage": "lexical"}]
