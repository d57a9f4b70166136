"""``docrag documents``: what is stored, from when to when it is in force, and its removal."""

from __future__ import annotations

from datetime import date

import click

from docrag.api import ADMIN_ROLE, Access
from docrag.cli.dates import day_option
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_json, print_rows, say
from docrag.cli.session import Session, known_roles, pass_session, split_names
from docrag.store.records import Document, DocumentState

#: The command line belongs to the operator, who manages every document.
_OPERATOR = Access.of([ADMIN_ROLE])


@click.group("documents", cls=Listing)
def command() -> None:
    """List, show, date, open and delete documents."""


@command.command("list")
@click.option("--role", "roles", multiple=True, callback=split_names, help="As this role sees it.")
@json_option
@pass_session
def list_(session: Session, roles: tuple[str, ...], as_json: bool) -> None:
    """List all versions of documents, newest first."""
    with session.assistant() as assistant:
        access = Access.of(known_roles(assistant.store, roles)) if roles else _OPERATOR
        found = assistant.documents(access=access)
    if as_json:
        print_json(found)
        return
    rows = [
        {
            "id": item.id,
            "title": item.title,
            "state": _state(item),
            "version": item.version,
            "valid": _valid(item),
            "pages": item.pages,
            "chunks": item.chunks,
            "roles": item.roles,
            "note": item.error or "; ".join(item.warnings),
        }
        for item in found
    ]
    print_rows(rows, as_json=False, empty="no documents")


@command.command("show")
@click.argument("document_id", metavar="ID")
@json_option
@pass_session
def show(session: Session, document_id: str, as_json: bool) -> None:
    """Show one document and the other versions of it."""
    with session.assistant() as assistant:
        found = assistant.document(document_id, access=_OPERATOR)
        versions = assistant.store.documents.versions(document_id, access=_OPERATOR)
    if as_json:
        print_json({"document": found, "versions": versions})
        return
    facts = {
        "title": found.title,
        "file": found.filename,
        "source": found.source,
        "state": _state(found),
        "pages": "" if found.pages is None else str(found.pages),
        "chunks": str(found.chunks),
        "roles": ", ".join(found.roles),
        "error": found.error,
    }
    for name, value in facts.items():
        click.echo(f"{name:<8} {value or '-'}")
    for warning in found.warnings:
        click.echo(f"warning  {warning}")
    click.echo()
    rows = [
        {"version": item.version, "valid": _valid(item), "state": _state(item), "id": item.id}
        for item in versions
    ]
    print_rows(rows, as_json=False)


@command.command("set-dates")
@click.argument("document_id", metavar="ID")
@day_option("--valid-from", help="First day on which it is in force.")
@day_option("--valid-to", help="Last day on which it is in force.")
@pass_session
def set_dates(
    session: Session, document_id: str, valid_from: date | None, valid_to: date | None
) -> None:
    """Set the days between which a version is in force; a bound that is not given is taken away.

    Other versions of the document follow: each ends the day before the next one begins.
    """
    with session.assistant() as assistant:
        changed = assistant.store.documents.set_dates(
            document_id, valid_from=valid_from, valid_to=valid_to, access=_OPERATOR
        )
    say(f"version {changed.version} of {changed.title}: {_valid(changed)}")


@command.command("set-roles")
@click.argument("document_id", metavar="ID")
@click.option(
    "--role", "roles", multiple=True, required=True, callback=split_names,
    help="Role that may read it; repeat it, or separate several by commas.",
)  # fmt: skip
@pass_session
def set_roles(session: Session, document_id: str, roles: tuple[str, ...]) -> None:
    """Set the roles that may read a version, in place of those that it has."""
    with session.assistant() as assistant:
        known = known_roles(assistant.store, roles)
        changed = assistant.store.documents.set_roles(document_id, known, access=_OPERATOR)
    say(f"version {changed.version} of {changed.title}: {', '.join(changed.roles)}")


@command.command("delete")
@click.argument("ids", nargs=-1, required=True)
@pass_session
def delete(session: Session, ids: tuple[str, ...]) -> None:
    """Delete versions of documents by IDS, with their file, text and vectors.

    An earlier version that one of them had ended is in force again.
    """
    with session.assistant() as assistant:
        for item in ids:
            assistant.delete(item, access=_OPERATOR)
            say(f"deleted {item}")


def _state(document: Document) -> str:
    """The state, and whether searches leave a ready document out today."""
    ready = document.state in (DocumentState.READY, DocumentState.READY_WITH_WARNINGS)
    return f"{document.state}{', not in force' if ready and not document.in_force else ''}"


def _valid(document: Document) -> str:
    """First and last day, with dots for no bound; empty for always."""
    first, last = document.valid_from, document.valid_to
    if first is None and last is None:
        return ""
    if first and last and last < first:
        return "never"
    return f"{first or '…'} – {last or '…'}"
