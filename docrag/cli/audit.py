"""``docrag audit``: who asked, what was offered and cited, and when that is forgotten."""

from __future__ import annotations

import click

from docrag.cli.listing import Listing
from docrag.cli.output import counted, json_option, print_json, print_rows, say
from docrag.cli.session import Session, pass_session
from docrag.ingest.retention import Retention
from docrag.store.records import AuditedAnswer, AuditEntry

#: Most characters of a question in the table.
WIDTH = 60


@click.group("audit", cls=Listing, invoke_without_command=True)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Most answers shown.",
)
@click.option("--user", "username", help="Only what this user asked.")
@click.option(
    "--abstained/--answered",
    default=None,
    help="Only questions without an answer, or only those with one.",
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    limit: int,
    username: str | None,
    abstained: bool | None,
    as_json: bool,
) -> None:
    """Show the last answers and abstentions, newest first; never their text."""
    if context.invoked_subcommand is not None:
        return
    session = context.ensure_object(Session)
    with session.assistant() as assistant:
        found = assistant.store.answers.list(limit=limit, username=username, abstained=abstained)
    if as_json:
        print_json([_whole(entry) for entry in found])
    else:
        print_rows(_table(found), as_json=False, empty="no answers")


@command.command("prune")
@json_option
@pass_session
def prune(session: Session, as_json: bool) -> None:
    """Erase questions and remove rows that are older than the settings allow.

    A running worker does the same every hour.
    """
    with session.assistant() as assistant:
        pruned = Retention(assistant.store, assistant.settings).run()
    if as_json:
        print_json(pruned)
    elif pruned is None:
        say("another process is at it; nothing to do")
    else:
        say(
            f"erased {counted(pruned.questions, 'question')} and the words of "
            f"{counted(pruned.feedback, 'opinion')}, removed {counted(pruned.rows, 'row')}"
        )


def _whole(entry: AuditEntry) -> dict[str, object]:
    """All that is kept, flat."""
    answer = entry.answer
    return {
        "id": answer.id,
        "created_at": answer.created_at,
        "user": entry.username,
        "key": entry.key_name,
        "key_id": answer.key_id,
        "frontend": answer.frontend,
        "channel": answer.channel,
        "question": answer.question,
        "abstained": answer.abstained,
        "reason": answer.reason,
        "offered": answer.context_chunk_ids,
        "cited": answer.cited_chunk_ids,
        "model": answer.model_id,
        "prompt": answer.prompt_id,
        "retriever": answer.retriever,
        "retrieval": answer.retrieval,
        "citation_coverage": answer.citation_coverage,
        "completeness": answer.completeness,
        "unsupported": answer.unsupported,
        "flags": answer.flags,
        "duration": answer.duration,
        "prompt_tokens": answer.usage.prompt_tokens,
        "completion_tokens": answer.usage.completion_tokens,
    }


def _table(entries: list[AuditEntry]) -> list[dict[str, object]]:
    """What a person looks for first; the question where one is kept."""
    rows = [_row(entry) for entry in entries]
    if any(entry.answer.question for entry in entries):
        for row, entry in zip(rows, entries, strict=True):
            row["question"] = short(entry.answer.question or "")
    return rows


def _row(entry: AuditEntry) -> dict[str, object]:
    answer = entry.answer
    return {
        "time": answer.created_at,
        "user": entry.username,
        "key": entry.key_name,
        "frontend": answer.frontend,
        "channel": answer.channel,
        "result": "abstained" if answer.abstained else "answered",
        "reason": answer.reason,
        "cited": f"{len(answer.cited_chunk_ids)}/{len(answer.context_chunk_ids)}",
        "confidence": confidence(answer),
        "unsupported": answer.unsupported or "",
        "flags": answer.flags,
        "model": answer.model_id,
        "prompt": answer.prompt_id,
        "s": f"{answer.duration:.2f}",
        "tokens": answer.usage.prompt_tokens + answer.usage.completion_tokens,
    }


def confidence(answer: AuditedAnswer) -> str:
    """Retrieval, citations and completeness in hundredths, ``?`` for what is not known."""
    parts = (answer.retrieval, answer.citation_coverage, answer.completeness)
    if all(part is None for part in parts):
        return ""
    return "/".join("?" if part is None else f"{part * 100:.0f}" for part in parts)


def short(question: str) -> str:
    """At most :data:`WIDTH` printable characters of a text in one line; JSON has all of it."""
    line = "".join(letter if letter.isprintable() else " " for letter in question)
    line = " ".join(line.split())
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
