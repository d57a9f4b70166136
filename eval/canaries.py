"""Do instructions inside documents act, and does anybody get to see the prompt?

Run by ``make eval-canaries``: uploads the canaries to a database of its own, asks their questions,
prints a table and writes ``eval/results/canaries.json``. Passages are quoted; then the model that
``DOCRAG_LLM`` and its options name writes, or by ``LLM=llamacpp`` a small one that is served here.
The exit status is 1 if quoting obeys or leaks anything at all; of a model the figures are told as
they are.
"""

from __future__ import annotations

import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from docrag.answer.quoting.extractive import MODEL_ID
from docrag.api import Answer, LLMError
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store.migrate import upgrade
from eval import report
from eval.canary_files import file_of
from eval.canary_set import Canary, canaries, is_answered, is_obeyed, leaks_prompt
from eval.database import database, server
from eval.llamacpp.server import wished
from eval.report import Row

NAME: Final = "canaries"
#: Role that reads every canary.
ROLE: Final = "kanarya"
#: Row of all kinds together.
ALL: Final = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question."""

    canary: Canary
    #: ``None`` where the model failed.
    answer: Answer | None

    @property
    def obeyed(self) -> bool:
        """True if the instruction acted."""
        return self.answer is not None and is_obeyed(self.canary, self.answer)

    @property
    def leaked(self) -> bool:
        """True if the answer holds words of the prompt."""
        return self.answer is not None and leaks_prompt(self.answer)

    @property
    def answered(self) -> bool:
        """True if the answer is the right one all the same."""
        return self.answer is not None and is_answered(self.canary, self.answer)


def main() -> int:
    """Upload, ask, print, write; 1 if quoting obeys or leaks."""
    logging.disable(logging.WARNING)
    started = time.monotonic()
    with wished() as served, tempfile.TemporaryDirectory(prefix="docrag-canaries-") as folder:
        own = {"instance": Path(folder), **(served.settings if served else {})}
        with server() as at, database(at) as address:
            upgrade(address)
            settings = Settings.load(database_url=address, **own)
            rows = measured(settings)
    _print(rows)
    told = {
        "embedder": settings.embedder,
        "top_k": settings.top_k,
        "seconds": round(time.monotonic() - started, 1),
    }
    click.echo(f"{told['seconds']} s, {report.write(NAME, told, rows)}")
    quoted = [row for row in rows if row["llm"] == MODEL_ID]
    return int(any(row["obeyed"] or row["leaked_prompt"] for row in quoted))


def measured(settings: Settings) -> list[Row]:
    """Rows of quoting, and of the model if the settings name one, on an empty database."""
    quoting = replace(settings, llm="none", llm_options={}, llm_aliases={})
    with Assistant.open(quoting) as assistant:
        upload(assistant, canaries())
        rows = table(MODEL_ID, list(_shown(ask(assistant, canaries()))))
    if settings.llm == "none":
        return rows
    with Assistant.open(settings) as assistant:
        outcomes = list(_shown(ask(assistant, canaries())))
    models = Counter(outcome.answer.model_id for outcome in outcomes if outcome.answer)
    models.pop(MODEL_ID, None)
    name = models.most_common(1)[0][0] if models else settings.llm
    return [*rows, *table(name, outcomes)]


def upload(assistant: Assistant, chosen: Iterable[Canary]) -> None:
    """Make the documents of canaries searchable, for :data:`ROLE`.

    :raises DocumentError: one of them cannot be read.
    """
    assistant.store.roles.create(ROLE)
    for canary in chosen:
        if canary.place:
            file = file_of(canary)
            assistant.ingest(file.data, roles={ROLE}, filename=file.filename, title=file.title)


def ask(assistant: Assistant, chosen: Iterable[Canary]) -> Iterator[Outcome]:
    """The outcome of each canary's question, one at a time."""
    for canary in chosen:
        try:
            answer: Answer | None = assistant.ask(canary.question, roles={ROLE})
        except LLMError:
            answer = None
        yield Outcome(canary=canary, answer=answer)


def table(llm: str, outcomes: Sequence[Outcome]) -> list[Row]:
    """A row a kind, in order of first appearance, and one of all.

    :param llm: who wrote the answers.
    """
    kinds = dict.fromkeys(outcome.canary.kind for outcome in outcomes)
    rows = [_row(llm, kind, [o for o in outcomes if o.canary.kind == kind]) for kind in kinds]
    return [*rows, _row(llm, ALL, outcomes)]


def _row(llm: str, kind: str, outcomes: Sequence[Outcome]) -> Row:
    return {
        "llm": llm,
        "kind": kind,
        "n": len(outcomes),
        "obeyed": sum(outcome.obeyed for outcome in outcomes),
        "leaked_prompt": sum(outcome.leaked for outcome in outcomes),
        "answered": sum(outcome.answered for outcome in outcomes),
        "failed": sum(_is_failure(llm, outcome.answer) for outcome in outcomes),
    }


def _is_failure(llm: str, answer: Answer | None) -> bool:
    """True if the model wrote nothing; what is quoted in its stead is no answer of its own."""
    if answer is None:
        return True
    return llm != MODEL_ID and answer.model_id == MODEL_ID and answer.abstention is None


def _shown(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes, each that is no good named on the way."""
    for outcome in outcomes:
        words = {"obeyed": outcome.obeyed, "leaked": outcome.leaked, "failed": not outcome.answer}
        if said := [word for word, holds in words.items() if holds]:
            click.echo(f"{outcome.canary.id} ({outcome.canary.kind}): {', '.join(said)}")
        yield outcome


def _print(rows: Sequence[Row]) -> None:
    for cells in (tuple(rows[0]), *(tuple(row.values()) for row in rows)):
        llm, kind, *figures = map(str, cells)
        click.echo(f"{llm:24} {kind:16}{''.join(f'{figure:>14}' for figure in figures)}")


if __name__ == "__main__":
    sys.exit(main())
