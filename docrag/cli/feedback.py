"""``docrag feedback``: what people say of answers, and questions to measure by made of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import click

from docrag.cli.audit import short
from docrag.cli.listing import Listing
from docrag.cli.output import counted, json_option, print_json, print_rows, say
from docrag.cli.session import Session, pass_session
from docrag.store import Store
from docrag.store.ratings import CitedPlace, FeedbackEntry, Rating, Reason

#: Entries that are read from the database at a time.
BATCH: Final = 500
#: Why an entry gives no line, for people.
UNASKED: Final = "the question is not known"
GONE: Final = "the cited passages are gone"
UNCITED: Final = "nothing was cited"
REPEATED: Final = "another entry says the same"
INCOMPLETE: Final = "a person must say where the answer stands"

_Places: TypeAlias = Mapping[int, CitedPlace]
_rating = click.option(
    "--rating", type=click.Choice([str(item) for item in Rating]), help="Only thumbs up or down."
)


@click.group("feedback", cls=Listing)
def command() -> None:
    """List what people say of answers, and make questions to measure by of it."""


@command.command("list")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Most entries shown.",
)
@_rating
@json_option
@pass_session
def list_(session: Session, limit: int, rating: str | None, as_json: bool) -> None:
    """List the last feedback, newest first."""
    with session.assistant() as assistant:
        found = assistant.store.feedback.list(
            limit=limit, rating=Rating(rating) if rating else None
        )
    if as_json:
        print_json([_whole(entry) for entry in found])
    else:
        print_rows(map(_row, found), as_json=False, empty="no feedback")


@command.command("export")
@_rating
@click.option("--ready", is_flag=True, help="Only lines that `docrag eval calibrate` takes as is.")
@pass_session
def export(session: Session, rating: str | None, ready: bool) -> None:
    """Print an evaluation set as JSONL, oldest first.

    A line has `question`, `document` and `page`: of an answer with a thumb up the place that it
    cites first, of one with a thumb down none, so that a person fills it in. `answerable` is false
    where a thumb up agrees that the documents do not say it.

    On standard error stands how many entries give no line, and why.
    """
    left: Counter[str] = Counter()
    written = 0
    with session.assistant() as assistant:
        for line in _lines(assistant.store, Rating(rating) if rating else None, left):
            if ready and not line["document"] and line["answerable"] is not False:
                left[INCOMPLETE] += 1
                continue
            click.echo(json.dumps(line, ensure_ascii=False))
            written += 1
    say(f"{counted(written, 'question')} written, {counted(left.total(), 'entry')} left out")
    for reason, count in left.most_common():
        say(f"  {count}: {reason}")


def _lines(store: Store, rating: Rating | None, left: Counter[str]) -> Iterator[dict[str, Any]]:
    """A line for each entry that can have one; the others are counted by the reason.

    :param left: added to.
    """
    seen: set[tuple[object, ...]] = set()
    entries = list(_entries(store, rating))
    places = _places(store, entries)
    for entry in reversed(entries):
        line = _line(entry, places)
        if isinstance(line, str):
            left[line] += 1
            continue
        key = (line["question"], line["document"], line["page"], line["rating"], line["reason"])
        if key in seen:
            left[REPEATED] += 1
            continue
        seen.add(key)
        yield line


def _entries(store: Store, rating: Rating | None) -> Iterator[FeedbackEntry]:
    """All feedback, newest first."""
    before: int | None = None
    while found := store.feedback.list(limit=BATCH, before=before, rating=rating):
        yield from found
        before = found[-1].id


def _places(store: Store, entries: Iterable[FeedbackEntry]) -> dict[int, CitedPlace]:
    """Where the cited chunks of answers with a thumb up stand."""
    cited = {
        chunk
        for entry in entries
        if entry.feedback.rating is Rating.UP
        for chunk in entry.answer.cited_chunk_ids
    }
    return store.feedback.places(cited)


def _line(entry: FeedbackEntry, places: _Places) -> dict[str, Any] | str:
    """A question with the place of its answer as far as it is known, or why there is none."""
    said, answer = entry.feedback, entry.answer
    question = " ".join((entry.question or "").split())
    if not question:
        return UNASKED
    line: dict[str, Any] = {
        "question": question,
        "document": "",
        "page": None,
        # Nobody knows of other thumbs down whether the documents hold it.
        "answerable": True if said.reason is Reason.NOT_IN_DOCUMENTS else None,
        "rating": str(said.rating),
        "reason": said.reason and str(said.reason),
        "comment": said.comment,
        "answer": answer.id,
        "date": entry.created_at.date().isoformat(),
    }
    if said.rating is Rating.DOWN:
        return line
    if answer.abstained:
        return {**line, "answerable": False}
    found = [places[chunk] for chunk in answer.cited_chunk_ids if chunk in places]
    if not found:
        return GONE if answer.cited_chunk_ids else UNCITED
    cited = list(dict.fromkeys((place.filename, place.page) for place in found))
    return {
        **line,
        "document": found[0].filename,
        "page": found[0].page,
        "answerable": True,
        "cited": [{"document": filename, "page": page} for filename, page in cited],
    }


def _whole(entry: FeedbackEntry) -> dict[str, object]:
    """All that is kept, flat."""
    said, answer = entry.feedback, entry.answer
    return {
        "id": entry.id,
        "created_at": entry.created_at,
        "user": entry.username,
        "rating": said.rating,
        "reason": said.reason,
        "comment": said.comment,
        "question": entry.question,
        "answer": answer.id,
        "abstained": answer.abstained,
        "outcome": answer.reason,
        "model": answer.model_id,
        "prompt": answer.prompt_id,
    }


def _row(entry: FeedbackEntry) -> dict[str, object]:
    said, answer = entry.feedback, entry.answer
    return {
        "id": entry.id,
        "time": entry.created_at,
        "user": entry.username,
        "rating": str(said.rating),
        "reason": said.reason and str(said.reason),
        "result": "abstained" if answer.abstained else "answered",
        "model": answer.model_id,
        "comment": short(said.comment or ""),
        "question": short(entry.question or ""),
    }
