"""``docrag documents``: what is stored, and its removal."""

from __future__ import annotations

import click

from docrag.api import ADMIN_ROLE, Access
from docrag.cli.output import json_option, print_json, print_rows, say
from docrag.cli.session import Session, known_roles, pass_session, split_names

#: The command line belongs to the operator, who manages every document.
_OPERATOR = Access.of([ADMIN_ROLE])


@click.group("documents")
def command() -> None:
    """List and delete documents."""


@command.command("list")
@click.option("--role", "roles", multiple=True, callback=split_names, help="As this role sees it.")
@json_option
@pass_session
def list_(session: Session, roles: tuple[str, ...], as_json: bool) -> None:
    """List documents, newest first."""
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
            "state": str(item.state),
            "pages": item.pages,
            "chunks": item.chunks,
            "roles": item.roles,
            "note": item.error or "; ".join(item.warnings),
        }
        for item in found
    ]
    print_rows(rows, as_json=False, empty="no documents")


@command.command("delete")
@click.argument("ids", nargs=-1, required=True)
@pass_session
def delete(session: Session, ids: tuple[str, ...]) -> None:
    """Delete documents by IDS, with their text and vectors."""
    with session.assistant() as assistant:
        for item in ids:
            assistant.delete(item, access=_OPERATOR)
            say(f"deleted {item}")
