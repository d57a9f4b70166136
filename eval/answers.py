"""How good answers are: right, refused or wrong, and whether their citations hold.

Run by ``make eval-answers``: answers the sets of ``eval/answer_sets.py`` on the product's path,
scores them, prints the table and the bars, and writes ``eval/results/answers.json``; the exit
status is 1 if quoted passages miss a bar. A model writes by the settings of any deployment
(``DOCRAG_LLM`` and ``DOCRAG_LLM_OPTIONS``), or by ``LLM=llamacpp`` a small one that is served here;
what a model wrote is kept, so that a run that was ended goes on.

``ARGS=--tune`` asks the tuning questions instead, for whoever chooses something, and writes
``answers-tune.json``. ``ARGS="--limit 60"`` asks so many of each set, ``ARGS="--sets tquad"`` one
set, ``ARGS=--score`` asks nothing and scores what was answered last, and ``ARGS=--curve`` draws
what each threshold of the evidence gate does, into ``answers-curve.json``.
``ARGS="--questions FILE"`` asks your own questions of your own documents (``docs/evaluation.md``).
"""

from __future__ import annotations

import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from tqdm import tqdm

from docrag.answer.gate.evidence import ENOUGH
from docrag.answer.models import Models
from docrag.answer.quoting.extractive import MODEL_ID
from docrag.api import DocragError, Judge
from docrag.assistant import Assistant
from docrag.database import require_database
from docrag.modelparts import judge_of, llm_of
from docrag.registry import Registry
from docrag.settings import Settings
from eval import answer_bars, answer_curve, answer_sets, answer_table, runs
from eval.answer_cache import RememberedLLM
from eval.answer_outcomes import outcome, rows
from eval.answer_sets import ANSWERABLE, AnswerCase
from eval.answering import Told, answered, from_line, to_line
from eval.llamacpp import server
from eval.own_questions import own_cases
from eval.report import Row

NAME: Final = "answers"
#: Sets of each part, and what their rows are called.
SETS: Final = {
    False: {"answers-dev": "tquad", "answers-law-dev": "law6331"},
    True: {
        "answers-tune": "tquad",
        "answers-law-train": "law_train",
        "answers-law-held": "law_held",
    },
}
#: Questions of a set that the small model is asked: minutes of one core.
SMALL: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Who writes the answers."""

    settings: Settings
    #: ``None`` quotes passages.
    llm: RememberedLLM | None
    judge: Judge | None = None

    @property
    def name(self) -> str:
        """What rows and files call it."""
        return self.llm.model_id if self.llm else MODEL_ID

    def answers(self, cases: Sequence[AnswerCase], name: str) -> list[tuple[AnswerCase, Told]]:
        """The cases with their answers.

        :param name: of the set, for whoever waits.
        """
        models = Models(default=self.llm)
        found = answered(cases, settings=self.settings, models=models, judge=self.judge)
        return list(tqdm(found, total=len(cases), desc=f"answering {name}"))


def main(arguments: Sequence[str]) -> int:
    """Answer, score, print, write; 1 if a bar is missed, 2 if there is nothing to answer with."""
    wanted = _parsed(arguments)
    logging.disable(logging.WARNING)
    try:
        with server.wished() as small:
            writer = _writer(small)
            if wanted.questions:
                return _ask_own(wanted.questions, writer)
            wanted.limit = wanted.limit or (SMALL if small else 0)
            return _draw(writer, wanted) if wanted.curve else _ask(writer, wanted)
    except DocragError as exc:
        click.echo(f"answers: {exc}", err=True)
        return 2


def _writer(small: server.Served | None) -> Writer:
    """Who writes by the settings.

    :raises DocragError: a setting is wrong.
    """
    settings = Settings.load(**(small.settings if small else {}))
    registry = Registry(allowed=settings.plugins, choice=settings.plugin_choice)
    built = llm_of(settings, registry)
    options = {**settings.llm_options, "served": small.fingerprint if small else ""}
    llm = RememberedLLM(built, options) if built else None
    return Writer(settings=settings, llm=llm, judge=judge_of(settings, registry, llm))


def _parsed(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="eval-answers", description="Judge answers.")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--score", action="store_true")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--sets", default="")
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--questions", type=Path)
    wanted = parser.parse_args(arguments)
    if wanted.questions and not wanted.questions.is_file():
        parser.error(f"there is no file {wanted.questions.name}")
    return wanted


def _ask(writer: Writer, wanted: Namespace) -> int:
    """The sets of a part; 1 if a bar is missed."""
    tune, limit = wanted.tune, wanted.limit
    found: list[Row] = []
    for name, dataset in SETS[tune].items():
        if wanted.sets and dataset not in wanted.sets.split(","):
            continue
        cases = sample(_cases(name), limit)
        run = f"{name}-{writer.name.replace('/', '_')}-told"
        if not wanted.score:
            runs.write(run, (to_line(told) for _, told in writer.answers(cases, name)))
        told = {question: from_line(line) for question, line in runs.read(run).items()}
        pairs = [(case, told[case.question]) for case in cases if case.question in told]
        found += _rows(pairs, writer.name, dataset, by_page=dataset != answer_bars.ARTICLES)
    answer_table.tell(found)
    _tell_speed(writer)
    if wanted.sets or (limit and not writer.llm):
        click.echo("a part of the table is not written")
        return 0
    settings = {"tune": tune, "limit": limit, "evidence": _least(writer.settings)}
    where = answer_table.write(f"{NAME}-tune" if tune else NAME, settings, found)
    click.echo(f"written to {where}")
    click.echo("refusals against false refusals over all thresholds: make eval-gate")
    if tune:
        return 0
    held = answer_bars.tell(found)
    # The bars are for quoted passages; what a model reaches is only told.
    return 0 if held or writer.llm else 1


def _draw(writer: Writer, wanted: Namespace) -> int:
    """The curve over all thresholds of the gate, from answers with the gate open."""
    writer = replace(writer, settings=replace(writer.settings, evidence=0.0))
    found: list[Row] = []
    for name, dataset in SETS[wanted.tune].items():
        pairs = writer.answers(sample(_cases(name), wanted.limit), name)
        by_page = dataset != answer_bars.ARTICLES
        told = [(outcome(case, told, by_page=by_page), told.evidence) for case, told in pairs]
        drawn = answer_curve.curve(told)
        answer_curve.tell(dataset, drawn, ENOUGH)
        found += [{"llm": writer.name, "dataset": dataset, **row} for row in drawn]
    name = f"{NAME}-curve-tune" if wanted.tune else f"{NAME}-curve"
    click.echo(f"written to {answer_table.write(name, {'chosen': ENOUGH}, found)}")
    return 0


def _ask_own(path: Path, writer: Writer) -> int:
    """Your own questions; neither they nor their answers are written anywhere."""
    require_database(writer.settings)
    with Assistant.open(writer.settings) as assistant:
        cases, left = own_cases(path, assistant)
    if left:
        click.echo(f"left out, since nobody has said where the answer stands: {left}")
    pairs = writer.answers(cases, path.name)
    found = _rows(pairs, writer.name, path.stem, by_page=True)
    answer_table.tell(found)
    _tell_speed(writer)
    click.echo(f"written to {answer_table.write(f'{NAME}-own', {'questions': len(cases)}, found)}")
    return 0


def _cases(name: str) -> list[AnswerCase]:
    """The cases of a set, which is made first if it is not there."""
    try:
        return answer_sets.read(name)
    except FileNotFoundError:
        answer_sets.main([name.removeprefix(f"{NAME}-")])
        return answer_sets.read(name)


def sample(cases: Sequence[AnswerCase], limit: int) -> list[AnswerCase]:
    """The first cases of each group, in the proportions of the groups; all of them for 0."""
    if not 0 < limit < len(cases):
        return list(cases)
    first = round(limit * sum(case.group == ANSWERABLE for case in cases) / len(cases))
    answerable = [case for case in cases if case.group == ANSWERABLE]
    others = [case for case in cases if case.group != ANSWERABLE]
    return [*answerable[:first], *others[: limit - first]]


def _rows(
    pairs: Iterable[tuple[AnswerCase, Told]], llm: str, dataset: str, *, by_page: bool
) -> list[Row]:
    outcomes = [outcome(case, told, by_page=by_page) for case, told in pairs]
    about = {"llm": llm, "dataset": dataset, "date": datetime.now(UTC).date().isoformat()}
    return [{**about, **row} for row in rows(outcomes)]


def _tell_speed(writer: Writer) -> None:
    """Print what the model read and wrote a second, over all that it wrote itself."""
    used = writer.llm.used if writer.llm else []
    seconds = sum(written.seconds for written in used)
    if seconds:
        read, wrote = sum(w.prompt_tokens for w in used), sum(w.completion_tokens for w in used)
        click.echo(
            f"{writer.name}: {len(used)} answers of {seconds:.0f} s in all; {read / len(used):.0f} "
            f"tokens read and {wrote / len(used):.0f} written each, {seconds / len(used):.1f} s"
        )


def _least(settings: Settings) -> object:
    """The threshold that is set; ``None`` for the calibrated one."""
    return getattr(settings, "evidence", None)


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
