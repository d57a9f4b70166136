"""How well the local verifier tells supported sentences of answers from wrong ones.

Run by ``make eval-verification``: sentences of TQuAD and of Law 6331, each right and made wrong in
one place, are judged by their sources; prints the table and the bars, and writes
``eval/results/verification.json``; the exit status is 1 if a bar is missed. ``ARGS=--tune`` takes
train questions of TQuAD and statements about other laws and regulations instead, for whoever
chooses something.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import click
import numpy as np

from docrag.answer.verification.finding import Finding
from docrag.answer.verification.verifier import Verifier
from eval import report
from eval.measures import interval
from eval.report import Row
from eval.tquad import folder, load
from eval.verification_cases import (
    LAW,
    LAW_FILE,
    RIGHT,
    WRONG_PASSAGE,
    Case,
    asked,
    law_cases,
    tquad_cases,
    written,
)
from eval.verification_corruptions import CORRUPTIONS
from eval.verification_scores import auroc, precision

NAME: Final = "verification"
#: Questions of either part that are taken, all of dev.
TUNED, TOLD = 400, 2_000
#: The draw of rewritings and corruptions.
SEED: Final = 0
KINDS: Final = (*CORRUPTIONS, WRONG_PASSAGE)
#: Least recall of each corruption, most false alarms and milliseconds a sentence, over TQuAD.
RECALL: Final = {
    "number": 0.95, "date": 0.95, "name": 0.85, "unit": 0.9, "negation": 0.8, WRONG_PASSAGE: 0.9,
}  # fmt: skip
FALSE_ALARM, MILLISECONDS = 0.05, 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A case and what the verifier made of it."""

    case: Case
    finding: Finding
    #: Processor time of the sentence alone, the sources being read, seconds.
    seconds: float
    #: Source that it was given without its marker; ``None`` for none, or where it was not tried.
    unmarked: int | None = None


def main(arguments: Sequence[str]) -> int:
    """Judge, score, print, write; 1 if a bar is missed."""
    logging.disable(logging.WARNING)
    tune = "--tune" in arguments
    judged = list(judge(cases(tune=tune)))
    rows = [row for source in ("tquad", "law") for row in score(judged, source)]
    show(rows)
    settings = {"tune": tune, "seed": SEED, "sentences": len(judged)}
    path = report.write(f"{NAME}-tune" if tune else NAME, settings, rows)
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if tune else bars(rows)


def cases(*, tune: bool) -> Iterable[Case]:
    """The cases of TQuAD and of the laws.

    :param tune: True for what may be looked at to choose something.
    """
    corpus = load()
    questions = corpus.tuning()[:TUNED] if tune else list(corpus.dev)[:TOLD]
    yield from tquad_cases(corpus, questions, SEED)
    laws = folder() / "docs" / "tr"
    lines = written(LAW) if tune else asked(folder() / "questions" / LAW_FILE)
    yield from law_cases(laws, lines, SEED)


def judge(told: Iterable[Case]) -> Iterable[Judged]:
    """The findings; a verifier is made once for the cases of one question in a row."""
    key: tuple[int, str] | None = None
    verifier = Verifier(())
    for case in told:
        if key != (id(case.context), case.question):
            key = (id(case.context), case.question)
            verifier = Verifier(case.context, question=case.question)
        started = time.process_time()
        finding = verifier.judge(case.sentence, case.cited)
        seconds = time.process_time() - started
        unmarked = verifier.judge(case.sentence, ()).source if case.corruption == RIGHT else None
        yield Judged(case=case, finding=finding, seconds=seconds, unmarked=unmarked)


def score(judged: Sequence[Judged], source: str) -> list[Row]:
    """The rows of one source: supported sentences of every kind, then every corruption."""
    ours = [item for item in judged if item.case.source == source]
    right = [item for item in ours if item.case.corruption == RIGHT]
    base = {item.case.group: item for item in right}
    ms = round(1000 * float(np.mean([item.seconds for item in ours])), 3)
    rows = [_right_row(source, "all", right) | {"ms_per_sentence": ms}]
    for variant in sorted({item.case.variant for item in right}):
        rows.append(_right_row(source, variant, [i for i in right if i.case.variant == variant]))
    for kind in KINDS:
        wrong = [item for item in ours if item.case.corruption == kind]
        if wrong:
            rows.append(_wrong_row(source, kind, wrong, base))
    return rows


def _right_row(source: str, variant: str, right: Sequence[Judged]) -> Row:
    alarms = np.array([not item.finding.supported for item in right], dtype=np.float64)
    mean, low, high = interval(alarms)
    given = [item.unmarked in item.case.cited for item in right]
    return {
        "source": source, "corruption": RIGHT, "variant": variant, "n": len(right),
        "recall": None, "precision": None, "auroc": None,
        "false_alarm": round(mean, 4), "false_alarm_low": round(low, 4),
        "false_alarm_high": round(high, 4), "attributed": round(float(np.mean(given)), 4),
    }  # fmt: skip


def _wrong_row(
    source: str, kind: str, wrong: Sequence[Judged], base: dict[str, Judged]
) -> Row:  # fmt: skip
    """Precision, AUROC and false alarms are against the right sentences that these are made of."""
    right = [base[item.case.group] for item in wrong]
    found = np.array([not item.finding.supported for item in wrong], dtype=np.float64)
    alarms = [not item.finding.supported for item in right]
    mean, low, high = interval(found)
    return {
        "source": source, "corruption": kind, "variant": "all", "n": len(wrong),
        "recall": round(mean, 4), "recall_low": round(low, 4), "recall_high": round(high, 4),
        "precision": round(precision(int(found.sum()), sum(alarms)), 4),
        "auroc": round(
            auroc([i.finding.score for i in right], [i.finding.score for i in wrong]), 4
        ),
        "false_alarm": round(float(np.mean(alarms)), 4),
        "named": round(float(np.mean([_is_named(item) for item in wrong])), 4),
    }  # fmt: skip


def _is_named(item: Judged) -> bool:
    """True if a wrong sentence was found for its own reason."""
    wanted = {WRONG_PASSAGE: "wrong_source"}.get(item.case.corruption, item.case.corruption)
    return wanted in item.finding.reasons


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    click.echo(
        f"{'source':<7}{'corruption':<14}{'variant':<10}{'n':>6}{'recall':>24}{'precision':>11}"
        f"{'auroc':>8}{'false_alarm':>13}{'other':>22}"
    )
    for row in rows:
        recall = ""
        if row["recall"] is not None:
            recall = f"{row['recall']:.3f} [{row['recall_low']:.3f}-{row['recall_high']:.3f}]"
        ratios = "".join(
            f"{'' if row[name] is None else format(row[name], '.3f'):>{width}}"
            for name, width in (("precision", 11), ("auroc", 8), ("false_alarm", 13))
        )
        other = (
            f"attributed {row['attributed']:.3f}"
            if "attributed" in row
            else f"named {row['named']:.3f}"
        )
        click.echo(
            f"{row['source']:<7}{row['corruption']:<14}{row['variant']:<10}{row['n']:>6}"
            f"{recall:>24}{ratios}{other:>22}"
        )
    ms = {row["source"]: row["ms_per_sentence"] for row in rows if "ms_per_sentence" in row}
    click.echo(", ".join(f"{source}: {value:.2f} ms a sentence" for source, value in ms.items()))


def bars(rows: Sequence[Row]) -> int:
    """Print every bar with its figure; 1 if one is missed."""
    ours = {
        row["corruption"]: row
        for row in rows
        if row["source"] == "tquad" and row["variant"] == "all"
    }
    right = ours[RIGHT]
    figures = [(f"recall {kind}", ours[kind]["recall"], bar, True) for kind, bar in RECALL.items()]
    figures += [
        ("false_alarm", right["false_alarm"], FALSE_ALARM, False),
        ("ms_per_sentence", right["ms_per_sentence"], MILLISECONDS, False),
    ]
    missed = 0
    for name, figure, bar, up in figures:
        held = figure >= bar if up else figure <= bar
        missed += not held
        click.echo(f"bar {'held' if held else 'MISSED'}: {name} {figure:.3f} (bar {bar:g})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
