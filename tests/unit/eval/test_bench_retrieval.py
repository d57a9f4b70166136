"""The table and the bars of the retrieval benchmark."""

from __future__ import annotations

import pytest

from eval.bench_retrieval import SECOND, WHOLE, _grown, _held
from eval.report import Row, times


def row(stage: str, p95: float, *, chunks: int = 200_000, asker: str = "r10") -> Row:
    return {"chunks": chunks, "selectivity": asker, "stage": stage, "p50_ms": 1.0, "p95_ms": p95}


@pytest.mark.parametrize(
    ("whole", "second", "held"),
    [(149.0, 24.0, True), (151.0, 24.0, False), (149.0, 26.0, False), (150.0, 25.0, True)],
)
def test_bars_are_upper_bounds(whole: float, second: float, held: bool) -> None:
    assert _held([row(WHOLE, whole), row(SECOND, second)]) is held


def test_slowest_asker_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row(WHOLE, 10.0), row(WHOLE, 200.0, asker="admin"), row(SECOND, 9.0)]
    assert not _held(rows)
    told = capsys.readouterr().out
    assert "bar missed: whole retrieval, p95 200.0 ms for admin" in told
    assert "moonshot 10 ms reached" in told


def test_growth_is_told_by_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    _grown([row(WHOLE, 20.0, chunks=50_000), row(WHOLE, 70.0)], [50_000, 200_000])
    assert "r10, p95 by chunks: 50,000: 20 ms, 200,000: 70 ms" in capsys.readouterr().out


def test_times_are_nearest_ranks_in_milliseconds() -> None:
    assert times([0.001 * n for n in range(1, 101)]) == {"p50_ms": 50.5, "p95_ms": 96.0}
