"""Filtered search: how many of the ten best permitted chunks are found, and how fast.

Run by ``make bench-filtered``. docrag and three other systems get the same vectors, roles and
questions in one run, on one PostgreSQL server (Chroma has files of its own). Prints a table and
writes ``eval/results/filtered.json``; the exit status is 1 if docrag misses a bar. ``N`` is the
number of chunks (200,000), ``QUERIES`` of questions for each asker (200), ``RIVALS_PYTHON`` the
interpreter that has the other systems, ``RIVALS`` which of them are measured (all).
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
from sqlalchemy.engine import URL

from docrag.store import Store, make_engine
from docrag.store.migrate import upgrade
from eval import report
from eval.asking import Asked, ask
from eval.database import database, server
from eval.filtered import CELLS, Cell, FilteredSet, K, exact, make_set, recall, shape, short
from eval.filtered_store import fill, searcher
from eval.report import Row

NAME: Final = "filtered"
#: Lowest recall of docrag for any asker, and what we would like.
BAR, MOONSHOT = 0.99, 0.999
RIVALS: Final = ("langchain", "llamaindex", "chroma")
#: Characters of an error that are kept in a row.
TOLD: Final = 300


def main() -> int:
    """Measure, print, write; 1 if a bar is missed."""
    logging.disable(logging.WARNING)
    data = make_set(
        int(os.environ.get("N", "200000")), queries=int(os.environ.get("QUERIES", "200"))
    )
    look = shape(data)
    click.echo(f"{len(data.vectors):,} chunks, {len(data.queries)} questions an asker; {look}")
    truth = {cell.name: exact(data, cell) for cell in CELLS}
    rows: list[Row] = []
    with server() as at:
        for part in _measured(at, data, truth):
            _print(part)
            rows += part
    path = report.write(NAME, {"chunks": len(data.vectors), "k": K, **look}, rows)
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if _held(rows) else 1


def _measured(at: URL, data: FilteredSet, truth: dict[str, list[list[int]]]) -> Iterator[list[Row]]:
    """The rows of each system, docrag first."""
    yield list(_docrag(at, data, truth))
    wanted = os.environ.get("RIVALS", ",".join(RIVALS)).split(",")
    with tempfile.TemporaryDirectory(prefix="docrag-bench-") as folder:
        kept = Path(folder) / "set.npz"
        data.save(kept)
        for name in wanted:
            if name:
                yield _rival(name, at, kept, data, truth)


def _docrag(at: URL, data: FilteredSet, truth: dict[str, list[list[int]]]) -> Iterator[Row]:
    """Docrag through its own store, with its default settings."""
    with database(at) as url:
        upgrade(url)
        engine = make_engine(url)
        started = time.perf_counter()
        fill(engine, data)
        click.echo(f"docrag: loaded in {time.perf_counter() - started:.0f} s")
        store = Store(engine)
        for cell in CELLS:
            asked = ask(searcher(store, cell), data.queries)
            yield row("docrag", data, cell, asked, truth[cell.name])
        engine.dispose()


def _rival(
    name: str, at: URL, kept: Path, data: FilteredSet, truth: dict[str, list[list[int]]]
) -> list[Row]:
    """Another system in a process and a database of its own; one row says so if it fails."""
    with database(at) as url, tempfile.TemporaryDirectory(prefix="docrag-bench-") as folder:
        out = Path(folder) / "out.json"
        python = os.environ.get("RIVALS_PYTHON", sys.executable)
        command = (python, "-m", "eval.rivals", name, str(kept), url, folder, str(out))
        root = Path(__file__).resolve().parents[1]
        done = subprocess.run(command, cwd=root, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own command
        if done.returncode != 0:
            return [_failed(name, done.stderr)]
        result: dict[str, Any] = json.loads(out.read_text("utf-8"))
    click.echo(f"{result['system']}: loaded in {result['load_s']:.0f} s")
    return [
        row(result["system"], data, cell, Asked(**result["cells"][cell.name]), truth[cell.name])
        for cell in CELLS
    ]


def row(
    system: str, data: FilteredSet, cell: Cell, asked: Asked, truth: Sequence[Sequence[int]]
) -> Row:
    """A row of the table.

    :raises RuntimeError: a chunk was found that the asker may not read.
    """
    permitted = data.permitted(cell)
    if any(not permitted[i] for found in asked.found for i in found):
        raise RuntimeError(f"{system} gave {cell.name} a chunk that it may not read")
    return {
        "system": system,
        "role": cell.name,
        "selectivity": round(float(permitted.mean()), 4),
        "correlated": cell.is_correlated,
        "recall@10": round(recall(asked.found, truth), 4),
        **report.times(asked.seconds),
        "short_results": short(asked.found, truth),
        "queries": len(truth),
    }


def _failed(name: str, error: str) -> Row:
    """The row of a system that could not be measured."""
    keys = ("role", "selectivity", "correlated", "recall@10", "p50_ms", "p95_ms", "short_results")
    return {
        "system": name,
        **dict.fromkeys(keys),
        "queries": 0,
        "error": error.strip()[-TOLD:].splitlines()[-1],
    }


def _print(rows: Sequence[Row]) -> None:
    """The table for people."""
    head = ("role", "permitted", "recall@10", "p50 ms", "p95 ms", "short")
    click.echo(f"{rows[0]['system']:<42}" + "".join(f"{name:>11}" for name in head))
    for item in rows:
        if "error" in item:
            click.echo(f"{'':<42}not measured: {item['error']}")
            continue
        click.echo(
            f"{'':<42}{item['role']:>11}{item['selectivity']:>11.2%}{item['recall@10']:>11.4f}"
            f"{item['p50_ms']:>11.1f}{item['p95_ms']:>11.1f}{item['short_results']:>11}"
        )


def _held(rows: Sequence[Row]) -> bool:
    """Whether docrag holds its bars; says so."""
    own = [item for item in rows if item["system"] == "docrag"]
    worst = min(own, key=lambda item: float(item["recall@10"]))
    few = sum(int(item["short_results"]) for item in own)
    held = worst["recall@10"] >= BAR and few == 0
    moon = "reached" if worst["recall@10"] >= MOONSHOT else "not reached"
    click.echo(
        f"bar {'held' if held else 'missed'}: recall@10 {worst['recall@10']:.4f} for "
        f"{worst['role']}, the lowest (bar {BAR}); {few} short results (bar 0)"
    )
    click.echo(f"moonshot {moon}: {MOONSHOT}")
    return held


if __name__ == "__main__":
    sys.exit(main())
