"""``docrag role``: the roles that users have and documents allow."""

from __future__ import annotations

import click

from docrag.access.names import new_role_name
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_rows, say
from docrag.cli.session import Session, pass_session


@click.group("role", cls=Listing)
def command() -> None:
    """Create, list, rename and retire roles."""


@command.command("create")
@click.argument("names", nargs=-1, required=True)
@pass_session
def create(session: Session, names: tuple[str, ...]) -> None:
    """Create roles NAMES."""
    with session.assistant() as assistant:
        for name in names:
            assistant.store.roles.create(new_role_name(name))
            say(f"created role {name}")


@command.command("list")
@json_option
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List all roles."""
    with session.assistant() as assistant:
        roles = assistant.store.roles.list()
    print_rows([{"name": role.name, "retired": role.retired} for role in roles], as_json=as_json)


@command.command("rename")
@click.argument("old")
@click.argument("new")
@pass_session
def rename(session: Session, old: str, new: str) -> None:
    """Rename role OLD to NEW, on every user and document."""
    with session.assistant() as assistant:
        assistant.store.roles.rename(old, new_role_name(new))
    say(f"renamed role {old} to {new}")


@command.command("retire")
@click.argument("name")
@pass_session
def retire(session: Session, name: str) -> None:
    """Retire role NAME: it opens nothing any more and cannot be given."""
    with session.assistant() as assistant:
        assistant.store.roles.retire(name)
    say(f"retired role {name}")
