from __future__ import annotations

import os
from pathlib import Path

import pytest

from docrag.loaders import cores


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0.1 0.2 0.3 1/80 7", 4),
        ("0.1 0.2 0.3 0/0 7", 4),
        ("0.1 0.2 0.3 3/80 7", 2),
        ("9.1 0.2 0.3 64/80 7", 1),
        ("", 1),
    ],
)
def test_idle_processors_are_those_that_nobody_runs_on(
    line: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loadavg").write_text(line, encoding="ascii")
    monkeypatch.setattr(cores, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    assert cores.idle() == expected


def test_own_threads_keep_no_processor_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loadavg").write_text("0.1 0.2 0.3 3/80 7", encoding="ascii")
    monkeypatch.setattr(cores, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    assert cores.idle(own=2) == 3


def test_system_without_such_a_figure_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "_LOAD", tmp_path / "none")
    assert cores.idle() == 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert cores.idle() == 1
