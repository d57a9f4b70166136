"""How fast files become searchable, against the bare libraries and LangChain's usual way.

Run by ``make bench-ingest``. All read the same PDF files in one run and, where they store, on one
PostgreSQL server; figures are ratios, for machines differ. Prints a table and writes
``eval/results/ingest.json``; the exit status is 1 if docrag misses a bar. ``RIVALS_PYTHON`` is the
interpreter that has LangChain, ``ROUNDS`` (3) how often each is measured; the median counts.
"""

from __future__ import annotations

import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
import psutil
from sqlalchemy.engine import URL

from eval import report
from eval.database import database, server
from eval.report import Row

NAME: Final = "ingest"
#: Files that are one law, for the embedder, which takes half a second for a passage.
SMALL: Final = ("kanun_6331.pdf",)
#: A scan, and one whose fonts name no letters: nothing that all could read.
LEFT_OUT: Final = ("firat_010.pdf", "firat_016.pdf")
#: Seconds between two looks at the memory of a process and its children.
LOOK: Final = 0.02
MIB: Final = 1024 * 1024
#: Least ratio by system and stage, and most MB of a worker on any file.
BARS: Final = {
    ("docrag", "load"): 0.8,
    ("docrag, two workers", "whole"): 5.0,
    ("docrag", "embed"): 0.95,
}
MEMORY: Final = 600.0


def main() -> int:
    """Measure, print, write; 1 if a bar is missed."""
    logging.disable(logging.WARNING)
    data = Path(os.environ.get("DATA", "../shared/data")) / "docs"
    texts = [file for file in sorted((data / "tr").glob("*.pdf")) if file.name not in LEFT_OUT]
    if not texts:
        click.echo(f"no PDF files in {data / 'tr'}; set DATA", err=True)
        return 2
    small = [file for file in texts if file.name in SMALL]
    kept = [file for file in sorted(data.rglob("*")) if file.is_file()]
    rounds = int(os.environ.get("ROUNDS", "3"))
    with server() as at:
        rows = _rows(at, texts, small, kept, rounds)
    for row in rows:
        _print(row)
    path = report.write(NAME, {"files": len(texts), "rounds": rounds}, rows)
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if _held(rows) else 1


def _rows(
    at: URL, texts: Sequence[Path], small: Sequence[Path], kept: Sequence[Path], rounds: int
) -> list[Row]:
    """All rows; the measured ones take turns, so that a busy minute hurts all alike."""
    kinds = ("pypdf", "pypdfium2", "load", "whole", "two", "langchain")
    runs: dict[str, list[Row]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind in kinds:
            runs[kind].append(_run(at, kind, texts))
    e5 = [_run(at, "e5", small) for _ in range(rounds)]
    bare = _median(runs["pypdfium2"], "load")
    slow = _median(runs["pypdf"], "load")
    chain = _median(runs["langchain"], "whole")
    own = _median(e5, "embed")
    return [
        _row("pypdf", "load", slow, runs["pypdf"], None),
        _row("pypdfium2", "load", bare, runs["pypdfium2"], None),
        _row("docrag", "load", _median(runs["load"], "load"), runs["load"], bare),
        _row("langchain", "whole", chain, runs["langchain"], None),
        _row("docrag", "whole", _median(runs["whole"], "whole"), runs["whole"], chain),
        _row("docrag, two workers", "whole", _median(runs["two"], "whole"), runs["two"], chain),
        _row("e5", "embed", own, e5, None),
        _row("docrag", "embed", _median(e5, "whole"), e5, own),
        _row("docrag", "any file", 0.0, [_run(at, "any", kept)], None),
    ]


def _run(at: URL, kind: str, files: Sequence[Path]) -> Row:
    """Seconds and pages of one run in an empty database, and the memory that it took."""
    with database(at) as url, tempfile.TemporaryDirectory(prefix="docrag-bench-") as folder:
        out = Path(folder) / "out.json"
        own = (sys.executable, "-m", "eval.ingest_run", kind)
        rival = (os.environ.get("RIVALS_PYTHON", sys.executable), "-m", "eval.rivals.ingest", kind)
        command = rival if kind == "langchain" else own
        names = [str(file.resolve()) for file in files]
        root = Path(__file__).resolve().parents[1]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        child = subprocess.Popen(  # noqa: S603 - our own command
            (*command, url, folder, str(out), *names), cwd=root, env=environment
        )
        peak = _watch(child)
        if child.returncode != 0:
            raise click.ClickException(f"{kind} ended with code {child.returncode}")
        measured: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return {**measured, "peak_mb": peak}


def _watch(child: subprocess.Popen[bytes]) -> float:
    """Most memory (RSS, MB) that a process and its children had at one time, until it ended."""
    peak, process = 0, psutil.Process(child.pid)
    while child.poll() is None:
        peak = max(peak, _memory(process))
        time.sleep(LOOK)
    return round(peak / MIB, 1)


def _memory(process: psutil.Process) -> int:
    """Bytes of a process and its children; one that is gone has none."""
    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            total += _own_memory(one)
    except psutil.NoSuchProcess:
        return total
    return total


def _own_memory(process: psutil.Process) -> int:
    try:
        size: int = process.memory_info().rss
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return 0
    return size


def _median(runs: Sequence[Row], stage: str) -> float:
    return statistics.median(float(run[stage]) for run in runs)


def _row(system: str, stage: str, seconds: float, runs: Sequence[Row], than: float | None) -> Row:
    """A row of the table.

    :param than: seconds of what it is compared with; the ratio is of the two rates.
    """
    return {
        "system": system,
        "stage": stage,
        "pages_per_s": round(runs[0]["pages"] / seconds, 1) if seconds else None,
        "ratio": round(than / seconds, 2) if than else None,
        "peak_mb": max(run["peak_mb"] for run in runs),
        "pages": int(runs[0]["pages"]),
    }


def _print(row: Row) -> None:
    """A line for people."""
    rate, ratio = (f"{row[key]}" if row[key] else "" for key in ("pages_per_s", "ratio"))
    click.echo(
        f"{row['system']:<20}{row['stage']:<10}{rate:>9} pages/s{ratio:>8} ratio"
        f"{row['peak_mb']:>9} MB"
    )


def _held(rows: Sequence[Row]) -> bool:
    """Whether docrag holds its bars; says so."""
    held = True
    for row in rows:
        bar = BARS.get((row["system"], row["stage"]))
        if bar is not None:
            held &= _told(
                f"{row['stage']} ratio (bar {bar:g})",
                float(row["ratio"]),
                float(row["ratio"]) >= bar,
            )
    worst = max(float(row["peak_mb"]) for row in rows if row["system"].startswith("docrag"))
    return held & _told(f"memory (bar {MEMORY:.0f} MB)", worst, worst < MEMORY)


def _told(what: str, value: float, held: bool) -> bool:
    click.echo(f"bar {'held' if held else 'missed'}: {what} {value:g}")
    return held


if __name__ == "__main__":
    sys.exit(main())
