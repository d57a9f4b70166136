"""What every benchmark leaves behind: ``eval/results/NAME.json`` and figures from its samples."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

Row: TypeAlias = dict[str, Any]

RESULTS: Final = Path(__file__).parent / "results"


def write(
    name: str, settings: Mapping[str, object], rows: Sequence[Row], *, keep: str = ""
) -> Path:
    """Write rows with commit, date and settings, and say where.

    :param name: of the file, without suffix.
    :param keep: column that the rows of another benchmark with the same file have; these stay in
        it, behind the new ones, as they were.
    """
    result = {
        "commit": _commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": {**settings, "load": round(os.getloadavg()[0], 2)},
        "rows": [*rows, *(_kept(name, keep) if keep else ())],
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return path


def _kept(name: str, column: str) -> list[Row]:
    """Rows of an earlier file that have a column; none where there is no file."""
    path = RESULTS / f"{name}.json"
    if not path.is_file():
        return []
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return [row for row in rows if column in row]


def times(seconds: Sequence[float]) -> Row:
    """The columns ``p50_ms`` and ``p95_ms`` (nearest rank) of at least one time in seconds."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {
        "p50_ms": round(statistics.median(ordered) * 1000, 2),
        "p95_ms": round(high * 1000, 2),
    }


def _commit() -> str:
    """Short name of the commit, empty outside a checkout."""
    command = ("git", "rev-parse", "--short", "HEAD")
    done = subprocess.run(command, cwd=RESULTS.parent, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command
    return done.stdout.strip()
