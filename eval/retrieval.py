"""How well the retrievers find: TQuAD and a law through the product's own path.

Run by ``make eval-retrieval``: writes run files, scores them, prints the table and the bars, and
writes ``eval/results/retrieval.json``; the exit status is 1 if a bar is missed. ``ARGS=--tune``
asks the tuning questions (train part) instead of the dev ones, for whoever chooses something.
``ARGS=--score`` only scores the runs that are there. The first run embeds the corpus four times,
which takes an hour of one core; vectors are kept in ``eval/results/cache``.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
import numpy as np

from docrag.answer.gate.evidence import content_words
from docrag.api import f5
from eval import law, report, runs
from eval.bars import DEV_BARS, Bar
from eval.database import server
from eval.measures import NAMES, Values, interval, rank, value
from eval.report import Row
from eval.searching import (
    DEPTH,
    FLOOR,
    OVERLAP,
    RETRIEVERS,
    ROLE,
    SAME_CHUNKS,
    Placed,
    kinds,
    placed,
    placed_for_floor,
    write_floor,
    write_qrels,
    write_runs,
)
from eval.tquad import Corpus, Question, folder, load

NAME: Final = "retrieval"
#: Size of a chunk that everything is measured at, and those of the plain questions alone.
SIZE, OTHER_SIZES = 1_000, (500, 1_500)
#: Ways of writing a question.
WRITTEN: Final = ("plain", "ascii", "upper", "typos")
#: Share of a question's content words in its chunk up to which it counts as worded otherwise.
LOW_OVERLAP: Final = 0.5
#: Names of runs begin with the part that the questions are of.
PREFIXES: Final = {True: "tune", False: "dev"}


def main(arguments: Sequence[str]) -> int:
    """Retrieve, score, print, write; 1 if a bar is missed."""
    logging.disable(logging.WARNING)
    tune, score_only = "--tune" in arguments, "--score" in arguments
    corpus = load()
    questions = corpus.tuning() if tune else list(corpus.dev)
    if not score_only:
        retrieve(corpus, questions, tune=tune)
    rows = score(corpus, questions, tune=tune)
    _print(rows)
    settings = {
        "questions": len(questions),
        "articles": len(corpus.articles),
        "tune": tune,
        "retrieved": runs.about(PREFIXES[tune]),
    }
    written = report.write(f"{NAME}-tune" if tune else NAME, settings, rows, keep="stage")
    click.echo(f"written to {written.parent.name}/{written.name}")
    return 0 if tune else _bars(rows)


def retrieve(corpus: Corpus, questions: Sequence[Question], *, tune: bool) -> None:
    """Write all runs and qrels."""
    prefix = PREFIXES[tune]
    sizes = (SIZE,) if tune else (SIZE, *OTHER_SIZES)
    runs.describe(prefix, {"depth": DEPTH, "overlap": OVERLAP, "sizes": sizes, "role": ROLE})
    with server() as at:
        for size in sizes:
            chunks = placed(corpus, size)
            write_qrels(f"{prefix}-{size}-qrels", questions, chunks)
            asked = kinds(questions, WRITTEN if size == SIZE else WRITTEN[:1])
            _retrieve_floor(corpus, asked, chunks, prefix=prefix, size=size)
            write_runs(at, corpus, asked, size=size, titled=True, prefix=prefix)
        untitled = {"no_title": list(questions)}
        write_runs(at, corpus, untitled, size=SIZE, titled=False, prefix=prefix)
        if not tune:
            law.write(at, folder())


def _retrieve_floor(
    corpus: Corpus,
    asked: Mapping[str, Sequence[Question]],
    chunks: list[list[Placed]],
    *,
    prefix: str,
    size: int,
) -> None:
    """Runs of plain BM25, over its own chunks and over the product's."""
    own = placed_for_floor(corpus, size)
    write_qrels(f"{prefix}-{size}-{FLOOR}-qrels", asked["plain"], own)
    for kind, written in asked.items():
        write_floor(f"{prefix}-{size}-{kind}-{FLOOR}", written, own)
        write_floor(f"{prefix}-{size}-{kind}-{SAME_CHUNKS}", written, chunks)


def score(corpus: Corpus, questions: Sequence[Question], *, tune: bool) -> list[Row]:
    """Rows of all measures, from the run files."""
    prefix = PREFIXES[tune]
    rows: list[Row] = []
    for size in (SIZE,) if tune else (SIZE, *OTHER_SIZES):
        qrels = runs.read(f"{prefix}-{size}-qrels")
        some = {"plain": list(qrels)}
        if size == SIZE:
            some |= {kind: list(qrels) for kind in (*WRITTEN[1:], "no_title")}
            some["low_overlap"] = _low_overlap(questions, qrels, placed(corpus, size))
        for kind, names in some.items():
            rows += _rows(prefix, size, kind, names, qrels)
    return rows if tune else [*rows, _law_row()]


def _rows(
    prefix: str, size: int, kind: str, names: Sequence[str], qrels: Mapping[str, Any]
) -> list[Row]:
    """A row for every retriever; the place of each question's first relevant chunk is kept."""
    run = {"low_overlap": "plain"}.get(kind, kind)
    # Without titles the floor is the same: it never sees them.
    floors = {"no_title": "plain"}.get(run, run)
    plain = runs.read(f"{prefix}-{size}-{floors}-{FLOOR}")
    floor = _places(plain, names, runs.read(f"{prefix}-{size}-{FLOOR}-qrels"))
    read = {name: runs.read(f"{prefix}-{size}-{run}-{name}") for name in RETRIEVERS}
    read = {SAME_CHUNKS: runs.read(f"{prefix}-{size}-{floors}-{SAME_CHUNKS}"), **read}
    found = {name: _places(lines, names, qrels) for name, lines in read.items()}
    placed_at = {FLOOR: floor, **found}
    runs.write(
        f"{prefix}-{size}-{kind}-places",
        ({"question": q, **{r: places[n] for r, places in placed_at.items()}}
         for n, q in enumerate(names)),
    )  # fmt: skip
    return [
        {
            "retriever": name,
            "chunk_size": size,
            "questions": kind,
            "n": len(names),
            **_measures(places),
            **_difference(places, floor),
            "empty": round(float(np.mean([not lines[q]["chunks"] for q in names])), 4),
        }
        for name, places, lines in (
            (FLOOR, floor, plain),
            *((name, places, read[name]) for name, places in found.items()),
        )
    ]


def _places(run: Mapping[str, Any], names: Sequence[str], qrels: Mapping[str, Any]) -> list[int]:
    """Place of the first relevant chunk of every question, 0 where it was not found."""
    return [rank(run[q]["chunks"] if q in run else [], qrels[q]["relevant"]) for q in names]


def _values(places: Sequence[int], name: str) -> Values:
    return np.array([value(name, place) for place in places])


def _measures(places: Sequence[int]) -> Row:
    row: Row = {}
    for name in NAMES:
        mean, low, high = interval(_values(places, name))
        row |= {name: round(mean, 4), f"{name}_low": round(low, 4), f"{name}_high": round(high, 4)}
    return row


def _difference(places: Sequence[int], floor: Sequence[int]) -> Row:
    """Paired difference of Recall@5 to the floor, points."""
    pairs = _values(places, "recall@5") - _values(floor, "recall@5")
    mean, low, high = (round(100 * figure, 2) for figure in interval(pairs))
    name = "delta_recall@5"
    return {name: mean, f"{name}_low": low, f"{name}_high": high}


def _law_row() -> Row:
    qrels = runs.read(law.QRELS)
    names = list(qrels)
    places = _places(runs.read(law.NAME), names, qrels)
    kind = {"retriever": "hybrid", "chunk_size": law.SIZE, "questions": "law6331", "n": len(names)}
    return {**kind, **_measures(places)}


def _low_overlap(
    questions: Sequence[Question], qrels: Mapping[str, Any], chunks: Sequence[Sequence[Placed]]
) -> list[str]:
    """Questions of which at most half of the content words stand in the relevant chunk."""
    texts = {chunk.key: chunk.text for article in chunks for chunk in article}
    names = []
    for question in questions:
        relevant = qrels[question.id]["relevant"]
        wanted = {term for word in content_words(question.text) for term in f5(word)}
        if relevant and wanted:
            held = max(len(wanted & set(f5(texts[key]))) for key in relevant) / len(wanted)
            if held <= LOW_OVERLAP:
                names.append(question.id)
    return names


def _print(rows: Sequence[Row]) -> None:
    click.echo(
        f"{'retriever':<17}{'size':>5} {'questions':<12}{'n':>5}"
        + "".join(f"{name:>26}" for name in NAMES)
        + f"{'recall@5 - floor':>24}"
    )
    for row in rows:
        figures = "".join(
            f"{row[name]:>10.3f} [{row[f'{name}_low']:.3f}-{row[f'{name}_high']:.3f}]"
            for name in NAMES
        )
        delta = "delta_recall@5"
        points = (
            f"{row[delta]:>+10.1f} [{row[f'{delta}_low']:+.1f}, {row[f'{delta}_high']:+.1f}]"
            if delta in row
            else ""
        )
        click.echo(
            f"{row['retriever']:<17}{row['chunk_size']:>5} {row['questions']:<12}{row['n']:>5}"
            f"{figures}{points}"
        )


def _bars(rows: Sequence[Row]) -> int:
    """Print every bar with its figure; 1 if one is missed."""
    missed = [bar for bar in DEV_BARS if not _told(bar, rows)]
    return 1 if missed else 0


def _told(bar: Bar, rows: Sequence[Row]) -> bool:
    """Print one bar; whether it is held."""
    figure = bar.figure(rows)
    held = bar.holds(figure, bar.bar)
    moon = bar.holds(figure, bar.moonshot)
    word = "held" if held else "MISSED"
    click.echo(
        f"bar {word}: {bar.name} {figure:.3f} (bar {bar.bar:g}, moonshot {bar.moonshot:g}"
        f"{' reached' if moon else ''})"
    )
    return held


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
