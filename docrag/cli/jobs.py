"""``docrag jobs``: what is being read, to be cancelled or tried again."""

from __future__ import annotations

import click

from docrag.api import ADMIN_ROLE, Access, DocumentNotFound
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_json, print_rows, say
from docrag.cli.session import Session, pass_session
from docrag.store import Store

#: The command line belongs to the operator, who manages every job.
_OPERATOR = Access.of([ADMIN_ROLE])


@click.group("jobs", cls=Listing)
def command() -> None:
    """List, cancel and retry the reading of documents."""


@command.command("list")
@click.option("--live", is_flag=True, help="Only what waits or runs.")
@click.option(
    "--most", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many."
)
@json_option
@pass_session
def list_(session: Session, live: bool, most: int, as_json: bool) -> None:
    """List jobs, newest first."""
    with session.assistant() as assistant:
        found = assistant.store.jobs.list(access=_OPERATOR, live=live, most=most)
    if as_json:
        print_json(found)
        return
    rows = [
        {
            "id": job.id,
            "document": job.document_id,
            "state": "cancelling" if job.cancel_requested and not job.ended else str(job.state),
            "stage": job.stage,
            "done": job.done,
            "total": job.total,
            "attempts": job.attempts,
            "next try": job.run_after.isoformat(timespec="seconds") if job.run_after else "",
            "note": job.error,
        }
        for job in found
    ]
    print_rows(rows, as_json=False, empty="no jobs")


@command.command("cancel")
@click.argument("ids", nargs=-1, required=True)
@pass_session
def cancel(session: Session, ids: tuple[str, ...]) -> None:
    """Cancel jobs by IDS; one that runs stops soon after."""
    with session.assistant() as assistant:
        for item in ids:
            job = assistant.store.jobs.cancel(item, access=_OPERATOR)
            say(f"cancelled {item}" if job.ended else f"{item} stops at its next report")


@command.command("retry")
@click.argument("ids", nargs=-1, required=True)
@pass_session
def retry(session: Session, ids: tuple[str, ...]) -> None:
    """Queue failed documents again, by IDS of the documents or of their jobs."""
    with session.assistant() as assistant:
        for item in ids:
            document = _document(assistant.store, item)
            job = assistant.store.jobs.retry(document, access=_OPERATOR)
            say(f"queued {document} as job {job.id}")


def _document(store: Store, item: str) -> str:
    """The document of a job, or the id itself where it is no job's."""
    try:
        return store.jobs.get(item, access=_OPERATOR).document_id
    except DocumentNotFound:
        return item
