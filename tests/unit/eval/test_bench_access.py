"""How the access benchmark counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval import bench_access
from eval.bench_access import paired, percentile, summary, timed


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.5, 51), (0.95, 96), (1.0, 100)])
def test_percentile_is_one_of_the_values(share: float, value: int) -> None:
    assert percentile(range(100, 0, -1), share) == value


def test_summary_is_in_milliseconds() -> None:
    row = summary("key look-up", [0.001, 0.002, 0.009])

    assert row == {"measure": "key look-up", "p50_ms": 2.0, "p95_ms": 9.0, "n": 3}


def test_paired_goes_round_by_round() -> None:
    assert paired("added", [0.011, 0.003, 0.007], [0.010, 0.001, 0.004])["p50_ms"] == 2.0


def test_timed_takes_turns() -> None:
    order: list[str] = []
    taken = timed({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, rounds=2)

    assert order[2:] == ["a", "b", "a", "b"]
    assert [len(seconds) for seconds in taken.values()] == [2, 2]


def test_results_have_the_agreed_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results" / "access.json"
    monkeypatch.setattr(bench_access, "RESULTS", path)
    bench_access._write([summary("ölçü", [0.001])])
    written = json.loads(path.read_text("utf-8"))

    assert list(written) == ["commit", "date", "settings", "rows"]
    assert written["rows"] == [{"measure": "ölçü", "p50_ms": 1.0, "p95_ms": 1.0, "n": 1}]
