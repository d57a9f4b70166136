"""``docrag eval``: measure retrieval on your own documents, and fit it to them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from docrag.answer import probes
from docrag.answer.calibration import Expectation, Trial, best, estimate, trials
from docrag.api import (
    ADMIN_ROLE,
    Access,
    DocumentError,
    Embedder,
    SettingsError,
    StoreError,
)
from docrag.assistant import Assistant
from docrag.cli.evidence import gauge
from docrag.cli.listing import Listing
from docrag.cli.output import counted, json_option, print_rows, progress, say
from docrag.cli.questionfile import read
from docrag.cli.session import Session, pass_session
from docrag.components import Components
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.question import searched
from docrag.retrievers.scoring import uncalibrated

#: Questions below which a weight says little.
FEW = 20
#: Lines of a file that are named in one message.
NAMED = 5
#: The command line belongs to the operator, who reads every document.
_OPERATOR = Access.of([ADMIN_ROLE])


@click.group("eval", cls=Listing)
def command() -> None:
    """Fit search and the evidence gate to your own documents."""


@command.command("calibrate")
@click.argument(
    "questions", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--dry-run", is_flag=True, help="Only print what each weight and the evidence gate do."
)
@click.option("--reset", is_flag=True, help="Forget what is stored.")
@json_option
@pass_session
def calibrate(
    session: Session, questions: Path | None, dry_run: bool, reset: bool, as_json: bool
) -> None:
    """Choose what meaning counts beside words, by QUESTIONS whose place is known.

    QUESTIONS is a JSONL or CSV file with `question`, `document` (title, file name or id) and,
    where you like, `page`; one that nothing answers has `answerable` false instead. The best
    weight, and the evidence that is enough for an answer, are stored with the embedding space and
    used from the next question on, by every process. The file is read as an administrator and not
    kept.

    Without QUESTIONS the weight is estimated from the words of your documents, and how well is
    found is not measured.
    """
    if reset and questions is not None:
        raise click.UsageError("--reset forgets the weight and takes no file of questions")
    with session.assistant() as assistant:
        if reset:
            assistant.store.spaces.calibrate(None)
            assistant.store.spaces.require(None)
            say("the weight is forgotten; the rule for any corpus holds again")
            say("so is the evidence that is enough; the usual one holds again")
            return
        embedder = _embedder(assistant)
        if questions is None:
            _estimate(assistant, dry_run=dry_run, as_json=as_json)
            return
        asked = _stored(assistant, list(read(questions)))
        expected = [item for item in asked if item.is_answerable]
        tried = _tried(assistant, embedder, expected)
        current = assistant.store.chunks.cosine_weight()
        print_rows([_row(trial, current) for trial in tried], as_json=as_json)
        basis = {"source": questions.name, "questions": len(expected)}
        _decide(assistant, tried, current, basis, dry_run=dry_run)
        # Behind the weight, by which chunks are found.
        gauge(assistant, asked, access=_OPERATOR, dry_run=dry_run)


def _embedder(assistant: Assistant) -> Embedder:
    """The embedder, whose space is the one that is searched.

    :raises SettingsError: there is none, or the documents were embedded with another one.
    :raises StoreError: nothing is embedded yet.
    """
    settings = assistant.settings
    parts = Components(settings, registry=assistant.registry, store=assistant.store)
    if parts.embedder is None:
        raise SettingsError(
            "DOCRAG_EMBEDDER is 'none', so there is no cosine to weigh; choose an embedder"
        )
    space = assistant.store.spaces.active()
    if space is None:
        raise StoreError("no embedding space is active; ingest a document first")
    embedder = parts.plans.embedder_of(space)
    if "cosine_weight" in settings.options("retriever"):
        say("DOCRAG_RETRIEVER_OPTIONS has a cosine_weight, which wins over what is stored here")
    return embedder


def _stored(assistant: Assistant, expected: list[Expectation]) -> list[Expectation]:
    """The questions whose document is stored, and those that nothing answers; others are told.

    :raises DocumentError: there is no question whose document is stored.
    """
    documents = assistant.documents(access=_OPERATOR)
    known = [
        not item.is_answerable
        or any(item.names(own.id, own.title, own.filename) for own in documents)
        for item in expected
    ]
    missing = [str(n) for n, stored in enumerate(known, start=1) if not stored]
    if not any(item.is_answerable for item, stored in zip(expected, known, strict=True) if stored):
        raise DocumentError(
            "no question names a document that is stored; name documents by title, file name or "
            "id, as `docrag documents list` has them"
        )
    if missing:
        named = ", ".join(missing[:NAMED]) + (", …" if len(missing) > NAMED else "")
        say(f"left out since their documents are not stored: {len(missing)} (question {named})")
    return [item for item, stored in zip(expected, known, strict=True) if stored]


def _tried(assistant: Assistant, embedder: Embedder, expected: list[Expectation]) -> list[Trial]:
    """What every weight does."""
    if len(expected) < FEW:
        say(f"{counted(len(expected), 'question')} will not say much; {FEW} or more are better")
    chunks = assistant.store.chunks
    with progress(len(expected), "asking", "question") as bar:
        return trials(
            expected,
            HybridRetriever(store=chunks, embedder=embedder),
            access=_OPERATOR,
            progress=bar.update,
            rule=lambda question: uncalibrated(searched(question), chunks),
            current=chunks.cosine_weight(),
        )


def _row(trial: Trial, current: float | None) -> dict[str, object]:
    return {
        "weight": "uncalibrated" if trial.weight is None else trial.weight,
        "recall@5": round(trial.recall_at_5, 4),
        "mrr@10": round(trial.mrr_at_10, 4),
        "in_use": trial.weight == current,
    }


def _decide(
    assistant: Assistant,
    tried: list[Trial],
    current: float | None,
    basis: dict[str, object],
    *,
    dry_run: bool,
) -> None:
    """Store the best weight, if it is better than the rule without one; else let the rule hold."""
    rule, chosen = tried[0], best(tried)
    count = basis["questions"]
    if isinstance(count, int) and count < FEW:
        say(f"{FEW} questions are needed to change the stored weight; it stays as it is")
        return
    if (chosen.mrr_at_10, chosen.recall_at_5) <= (rule.mrr_at_10, rule.recall_at_5):
        say("no weight does better than the rule without one")
        if current is not None:
            say(f"the earlier weight {current} {'would be' if dry_run else 'is'} forgotten")
            if not dry_run:
                assistant.store.spaces.calibrate(None)
        return
    measures = {
        name: {"recall@5": round(trial.recall_at_5, 4), "mrr@10": round(trial.mrr_at_10, 4)}
        for name, trial in (("uncalibrated", rule), ("calibrated", chosen))
    }
    _keep(assistant, chosen.weight, {**basis, "measures": measures}, dry_run=dry_run)


def _estimate(assistant: Assistant, *, dry_run: bool, as_json: bool) -> None:
    """Store what the corpus's own sentences make of it.

    :raises DocumentError: the documents hold no sentences.
    """
    asked = probes.from_store(assistant.store)
    if not asked:
        raise DocumentError("the documents hold no sentences to ask with; give a file of questions")
    say(
        f"no questions are given: asking with {counted(len(asked), 'run')} of words from the "
        "documents"
    )
    words_only = HybridRetriever(store=assistant.store.chunks)
    with progress(len(asked), "asking", "question") as bar:
        weight = estimate(asked, words_only, access=_OPERATOR, progress=bar.update)
    current = assistant.store.chunks.cosine_weight()
    row = {"weight": weight, "before": current, "probes": len(asked)}
    print_rows([row], as_json=as_json)
    _keep(assistant, weight, {"source": "sentences", "questions": len(asked)}, dry_run=dry_run)


def _keep(
    assistant: Assistant, weight: float | None, basis: dict[str, object], *, dry_run: bool
) -> None:
    """Store a weight with what it was measured on, unless it is only tried."""
    if dry_run:
        say(f"{weight} would be stored; nothing is")
        return
    date = datetime.now(UTC).isoformat(timespec="seconds")
    assistant.store.spaces.calibrate(weight, basis={"date": date, **basis})
    say(f"{weight} is stored and used from the next question on")
