"""What a retrieval takes, stage by stage, for askers who may read all of a corpus or little of it.

Run by ``make bench-retrieval``. It fills databases of its own with synthetic text and vectors,
prints a table and writes ``eval/results/retrieval.json``; the exit status is 1 if a bar is missed.
``N`` are the numbers of chunks (50,000 and 200,000), separated by commas: the last one is judged,
the others show growth. ``QUERIES`` is the number of questions for each asker (100). PostgreSQL runs
every statement in one process, and the stages one after the other, so one core is used at a time;
the model that embeds the question is left out. Processor time is told as well, since a machine
that does other things makes every clock late.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import click
from sqlalchemy import Engine, text

from docrag.api import Access, Vectors, asked_terms
from docrag.retrievers.hybrid import POOL, HybridRetriever
from docrag.retrievers.scoring import scored
from docrag.store import Store, make_engine
from docrag.store.migrate import upgrade
from eval import report
from eval.cpu import CpuClock
from eval.database import database, server
from eval.filtered import CHUNKS, DIM, Cell, make_set
from eval.remembered import Remembered
from eval.report import Row
from eval.retrieval_store import WEIGHT, fill_text
from eval.zipf import make_text

#: The file is shared with the evaluation of what is found: each keeps the rows of the other.
NAME: Final = "retrieval"
#: Askers, from everything to a thousandth of the documents.
CELLS: Final = tuple(Cell(roles=(r,)) for r in ("admin", "r50", "c50", "r10", "c10", "r1", "r01"))
#: Passages that an answer is given.
K: Final = 10
WHOLE, SECOND = "whole retrieval", "stage 2"
#: Most milliseconds at the 95th percentile, and what we would like, by stage.
BARS: Final = {WHOLE: (150.0, 60.0), SECOND: (25.0, 10.0)}
#: Questions asked before the first timed one.
WARM_UP: Final = 10
#: Tables by what they hold.
TABLES: Final = {
    "chunks": ("chunks",),
    "vectors": ("embeddings",),
    "postings": ("postings", "terms", "document_terms"),
    "grams": ("document_grams", "grams"),
}
_ONE_PROCESS: Final = text(
    """
    DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET max_parallel_workers_per_gather = 0', current_database());
    END $$
    """
)
_SIZE: Final = text(
    """
    SELECT coalesce(sum(pg_total_relation_size(relid)),
        pg_total_relation_size(CAST(:name AS regclass)))
    FROM pg_partition_tree(CAST(:name AS regclass))
    """
)


class Given:
    """An embedder whose vectors are known beforehand."""

    model_id = "given"
    dim = DIM

    def __init__(self, vectors: Mapping[str, Vectors]) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Never asked."""
        raise NotImplementedError

    def embed_query(self, text: str) -> Vectors:
        """The vector of a known question."""
        return self._vectors[text]


def main() -> int:
    """Measure, print, write; 1 if a bar is missed."""
    logging.disable(logging.WARNING)
    sizes = [int(n) for n in os.environ.get("N", "50000,200000").split(",")]
    rows: list[Row] = []
    disk: dict[str, Row] = {}
    with server() as at:
        for size in sizes:
            with database(at) as url:
                part, disk[str(size)] = _measured(url, size)
            _print(part, disk[str(size)])
            rows += part
    _grown(rows, sizes)
    path = report.write(NAME, {"k": K, "pool": POOL, "bytes_a_chunk": disk}, rows, keep="retriever")
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if _held([row for row in rows if row["chunks"] == sizes[-1]]) else 1


def _measured(url: str, size: int) -> tuple[list[Row], Row]:
    """Rows for a corpus, and bytes on disk for each of its chunks."""
    count = int(os.environ.get("QUERIES", "100"))
    started = time.perf_counter()
    data, words = make_set(size, queries=count), make_text(size, per_document=CHUNKS)
    questions = dict(zip(words.questions(count), data.queries, strict=False))
    upgrade(url)
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.execute(_ONE_PROCESS)
    fill_text(engine, data, words)
    del words
    engine.dispose()
    click.echo(f"{size:,} chunks: loaded in {time.perf_counter() - started:.0f} s")
    store, clock = Store(engine), CpuClock(engine)
    rows = [row for cell in CELLS for row in _cell_rows(store, clock, cell, questions, size)]
    disk = _disk(engine, size)
    engine.dispose()
    return rows, disk


def _cell_rows(
    store: Store, clock: CpuClock, cell: Cell, questions: Mapping[str, Vectors], size: int
) -> Iterator[Row]:
    """A row for each stage."""
    acts = _acts(store, Access.of(cell.roles), questions)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in acts}
    asked = list(questions)
    for question in [*asked[:WARM_UP], *asked]:
        for name, act in acts.items():
            busy, started = clock.now(), time.perf_counter()
            act(question)
            taken[name].append((time.perf_counter() - started, clock.now() - busy))
    for name, pairs in taken.items():
        seconds, busy_seconds = zip(*pairs[WARM_UP:], strict=True)
        row = {"chunks": size, "selectivity": cell.name, "stage": name, **report.times(seconds)}
        busy_times = {f"cpu_{key}": value for key, value in report.times(busy_seconds).items()}
        yield {**row, **(busy_times if clock.works else {}), "queries": len(asked)}


def _acts(
    store: Store, access: Access, questions: Mapping[str, Vectors]
) -> dict[str, Callable[[str], object]]:
    """What is measured, in the order of a retrieval; each takes the question."""
    chunks = Remembered(store.chunks)
    retriever = HybridRetriever(store=store.chunks, embedder=Given(questions))

    def search(question: str, *, words: bool, meaning: bool) -> object:
        return chunks.candidates(
            terms=asked_terms(question) if words else (),
            vector=questions[question] if meaning else None,
            access=access,
            k=POOL,
        )

    return {
        "dense candidates": lambda question: search(question, words=False, meaning=True),
        "lexical candidates": lambda question: search(question, words=True, meaning=False),
        "both in one statement": lambda question: search(question, words=True, meaning=True),
        "statistics": chunks.count,
        SECOND: lambda question: scored(question, chunks.found, chunks, weight=WEIGHT, k=K),
        WHOLE: lambda question: retriever.retrieve(question, access=access, k=K),
    }


def _disk(engine: Engine, size: int) -> Row:
    """Bytes on disk for each chunk, indexes and all."""
    with engine.connect() as connection:
        return {
            name: round(sum(connection.scalar(_SIZE, {"name": t}) for t in tables) / size)
            for name, tables in TABLES.items()
        }


def _print(rows: Sequence[Row], disk: Row) -> None:
    """The table for people: p50/p95 of each stage, by the clock and of processors."""
    stages = list(dict.fromkeys(row["stage"] for row in rows))
    for kind, label in (("", "ms"), ("cpu_", "cpu ms")):
        if f"{kind}p50_ms" not in rows[0]:
            continue
        click.echo(f"{'p50/p95 ' + label:<16}" + "".join(f"{stage:>23}" for stage in stages))
        for asker in dict.fromkeys(row["selectivity"] for row in rows):
            own = [row for row in rows if row["selectivity"] == asker]
            cells = (f"{row[kind + 'p50_ms']:.1f}/{row[kind + 'p95_ms']:.1f}" for row in own)
            click.echo(f"{asker:<16}" + "".join(f"{cell:>23}" for cell in cells))
    click.echo(f"bytes on disk a chunk: {disk}, {sum(disk.values()):,} in all")


def _grown(rows: Sequence[Row], sizes: Sequence[int]) -> None:
    """Say how the time of a whole retrieval grows with the corpus."""
    whole = [row for row in rows if row["stage"] == WHOLE]
    for asker in dict.fromkeys(row["selectivity"] for row in whole):
        own = [f"{row['p95_ms']:.0f} ms" for row in whole if row["selectivity"] == asker]
        grown = ", ".join(f"{n:,}: {ms}" for n, ms in zip(sizes, own, strict=True))
        click.echo(f"growth of {WHOLE}, {asker}, p95 by chunks: {grown}")


def _held(rows: Sequence[Row]) -> bool:
    """Whether the bars are held; says so."""
    held = True
    for stage, (bar, moonshot) in BARS.items():
        worst = max(
            (row for row in rows if row["stage"] == stage), key=lambda row: float(row["p95_ms"])
        )
        ok = worst["p95_ms"] <= bar
        held = held and ok
        busy = f", {worst['cpu_p95_ms']:.1f} ms of processors" if "cpu_p95_ms" in worst else ""
        click.echo(
            f"bar {'held' if ok else 'missed'}: {stage}, p95 {worst['p95_ms']:.1f} ms for "
            f"{worst['selectivity']}, the slowest{busy} (bar {bar:g} ms, moonshot {moonshot:g} ms "
            f"{'' if worst['p95_ms'] <= moonshot else 'not '}reached)"
        )
    return held


if __name__ == "__main__":
    sys.exit(main())
