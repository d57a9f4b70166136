"""``kill -9`` at random moments: what was begun ends as if nothing had happened.

Run by ``make eval-kill``. Processes that read a document of 240 pages, delete it, or embed it anew,
are killed at moments spread evenly over the time that the work takes, and started again; somebody
searches all the while. Prints a table and writes ``eval/results/kill.json``: rows ``what``,
``kills``, ``equal`` (end states equal to the undisturbed one), ``half_seen`` (searches that saw a
part of the document), ``repeated_batches`` (most batches that one kill made be embedded twice),
``stages`` in which the kills fell. The exit status is 1 unless all are equal, nothing half was seen
and no more than one batch was repeated. Names of scenarios may be given; rows of the others stay.
``KILLS`` (30) is the number for each scenario, ``PAGES`` (240) the size.
"""

from __future__ import annotations

import io
import json
import logging
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import click
import pypdf

from docrag.store import Store, make_engine
from docrag.store.migrate import upgrade
from eval import report
from eval.database import database, server
from eval.kill_reindex import reembeds
from eval.kill_runs import Arena, Outcome, Scenario, deletes, ingests
from eval.report import Row

NAME: Final = "kill"
#: Seconds that the embedder takes for a batch, so that it has its share of the moments.
SECONDS: Final = 0.05
#: Scans, and the law that the reader's word must not be of.
LEFT_OUT: Final = ("firat_016.pdf",)

#: Each gives a scenario in its arena; the second number is that of workers at work at once.
SCENARIOS: Final[dict[str, Callable[[Arena], Scenario]]] = {
    "ingest": lambda arena: ingests(arena, workers=1),
    "ingest, two workers": lambda arena: ingests(arena, workers=2),
    "delete": deletes,
    "re-embedding": lambda arena: reembeds(arena, cut=False),
    "re-embedding, other chunks": lambda arena: reembeds(arena, cut=True),
}


def main() -> int:
    """Kill, compare, print, write; 1 if something was lost or half seen."""
    data = Path(os.environ.get("DATA", "../shared/data")) / "docs" / "tr"
    pages, kills = int(os.environ.get("PAGES", "240")), int(os.environ.get("KILLS", "30"))
    files = [file for file in sorted(data.glob("*.pdf")) if file.name not in LEFT_OUT]
    if not files:
        click.echo(f"no PDF files in {data}; set DATA", err=True)
        return 2
    seed = int(os.environ.get("SEED", "6331"))
    # Of pypdf, about files that it reads all the same.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pdf = joined(files, pages)
    outcomes = []
    for what in sys.argv[1:] or SCENARIOS:
        lot = random.Random(seed)  # noqa: S311 - moments, no secrets
        outcomes.append(run(what, pdf, kills=kills, lot=lot))
    rows = [_row(outcome) for outcome in outcomes]
    for row in rows:
        click.echo("  ".join(f"{name} {value}" for name, value in row.items()))
    path = report.write(NAME, {"pages": pages, "seed": seed}, [*rows, *_others(rows)])
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if all(outcome.held for outcome in outcomes) else 1


def run(what: str, file: bytes, *, kills: int, lot: random.Random, seconds: float = SECONDS,
        suffix: str = "pdf") -> Outcome:  # fmt: skip
    """One scenario on a database of its own.

    :param file: the document.
    :param seconds: that the embedder takes for a batch.
    """
    with server() as at, database(at) as url, tempfile.TemporaryDirectory() as folder:
        upgrade(url)
        store = Store(make_engine(url))
        try:
            arena = Arena(
                url=url, store=store, file=file, suffix=suffix, folder=Path(folder),
                seconds=seconds, lot=lot,
            )  # fmt: skip
            return arena.run(what, SCENARIOS[what](arena), kills=kills)
        finally:
            store.close()


def joined(files: Sequence[Path], pages: int) -> bytes:
    """One PDF of as many pages, taken from the files in order."""
    writer = pypdf.PdfWriter()
    for file in files:
        for page in pypdf.PdfReader(file).pages:
            if len(writer.pages) < pages:
                writer.add_page(page)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def _others(rows: Sequence[Row]) -> list[Row]:
    """Rows of the scenarios that were not run now, as they were."""
    path = report.RESULTS / f"{NAME}.json"
    if not path.is_file():
        return []
    ran = {row["what"] for row in rows}
    kept: list[Row] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return [row for row in kept if row["what"] not in ran]


def _row(outcome: Outcome) -> Row:
    return {
        "what": outcome.what,
        "kills": outcome.kills,
        "equal": outcome.equal,
        "half_seen": outcome.half_seen,
        "repeated_batches": outcome.repeated_batches,
        "searches": outcome.searches,
        "seconds": outcome.seconds,
        "stages": outcome.stages,
        "differences": outcome.differences,
    }


if __name__ == "__main__":
    sys.exit(main())
