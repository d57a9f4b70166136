"""``docrag eval``: measure retrieval on your own documents, and fit it to them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from docrag.answer.calibration import Expectation, Trial, best, trials
from docrag.api import ADMIN_ROLE, Access, SettingsError
from docrag.assistant import Assistant
from docrag.cli.output import json_option, print_rows, progress, say
from docrag.cli.session import Session, pass_session
from docrag.components import Components
from docrag.retrievers.hybrid import HybridRetriever

#: Questions below which a weight says little.
FEW = 20


@click.group("eval")
def command() -> None:
    """Measure retrieval on your own documents."""


@command.command("calibrate")
@click.argument(
    "questions", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--dry-run", is_flag=True, help="Only print what each weight does.")
@click.option("--reset", is_flag=True, help="Forget the stored weight.")
@json_option
@pass_session
def calibrate(
    session: Session, questions: Path | None, dry_run: bool, reset: bool, as_json: bool
) -> None:
    """Choose what meaning counts beside words, by QUESTIONS whose place is known.

    QUESTIONS is a JSONL or CSV file with `question`, `document` (title, file name or id) and,
    where you like, `page`. The best weight is stored with the embedding space and used from the
    next question on, by every process. The file is read as an administrator and not kept.
    """
    if reset == (questions is not None):
        raise click.UsageError("give a file of questions, or --reset")
    with session.assistant() as assistant:
        if questions is None:
            assistant.store.spaces.calibrate(None)
            say("the weight is forgotten; the rule for any corpus holds again")
            return
        expected = list(read(questions))
        tried = _tried(assistant, expected)
        print_rows([_row(trial) for trial in tried], as_json=as_json)
        _decide(assistant, tried, len(expected), dry_run=dry_run)


def read(path: Path) -> Iterator[Expectation]:
    """Questions of a file, in order.

    :raises click.ClickException: a line is not a question, or there is none.
    """
    count = 0
    for number, row in _rows(path):
        try:
            page = row.get("page")
            item = Expectation(
                question=str(row["question"]).strip(),
                document=str(row["document"]).strip(),
                page=int(page) if page not in (None, "") else None,
            )
        except (KeyError, TypeError, ValueError) as exc:
            raise click.ClickException(_wrong(path, number)) from exc
        if not item.question or not item.document:
            raise click.ClickException(_wrong(path, number))
        count += 1
        yield item
    if not count:
        raise click.ClickException(f"{path.name} holds no questions")


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and fields of every question."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as exc:
        raise click.ClickException(f"{path.name} is not UTF-8 text; save it as UTF-8") from exc
    if path.suffix.lower() == ".csv":
        lines = text.splitlines()
        # Turkish spreadsheets write semicolons, since the comma is the decimal sign.
        delimiter = ";" if lines and lines[0].count(";") > lines[0].count(",") else ","
        yield from enumerate(csv.DictReader(lines, delimiter=delimiter), start=2)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as exc:
                raise click.ClickException(_wrong(path, number)) from exc
            yield number, row if isinstance(row, dict) else {}


def _wrong(path: Path, number: int) -> str:
    return (
        f"{path.name}, line {number}: no question; each needs `question` and `document`, and may "
        "have `page` (a number from 1)"
    )


def _tried(assistant: Assistant, expected: list[Expectation]) -> list[Trial]:
    """What every weight does."""
    if len(expected) < FEW:
        say(f"{len(expected)} questions say little; {FEW} or more are better")
    parts = Components(assistant.settings, registry=assistant.registry, store=assistant.store)
    if parts.embedder is None:
        raise SettingsError(
            "DOCRAG_EMBEDDER is 'none', so there is no cosine to weigh; choose an embedder"
        )
    retriever = HybridRetriever(store=assistant.store.chunks, embedder=parts.embedder)
    with progress(len(expected), "asking", "question") as bar:
        access = Access.of([ADMIN_ROLE])
        return trials(expected, retriever, access=access, progress=bar.update)


def _row(trial: Trial) -> dict[str, object]:
    return {
        "weight": "uncalibrated" if trial.weight is None else trial.weight,
        "recall@5": round(trial.recall_at_5, 4),
        "mrr@10": round(trial.mrr_at_10, 4),
    }


def _decide(assistant: Assistant, tried: list[Trial], count: int, *, dry_run: bool) -> None:
    """Store the best weight, if it is better than the rule without one."""
    rule, chosen = tried[0], best(tried)
    if (chosen.mrr_at_10, chosen.recall_at_5) <= (rule.mrr_at_10, rule.recall_at_5):
        say("no weight does better than the rule for any corpus; nothing is stored")
    elif dry_run:
        say(f"{chosen.weight} does best; nothing is stored")
    else:
        basis = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "questions": count,
            "recall@5": round(chosen.recall_at_5, 4),
            "mrr@10": round(chosen.mrr_at_10, 4),
        }
        assistant.store.spaces.calibrate(chosen.weight, basis=basis)
        say(f"{chosen.weight} is stored and used from the next question on")
