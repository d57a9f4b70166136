"""``docrag group``: roles that members of an identity provider's groups get."""

from __future__ import annotations

import click

from docrag.access.oidc import issuer_key
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_rows, say
from docrag.cli.session import Session, pass_session, split_names


@click.group("group", cls=Listing)
def command() -> None:
    """Map groups of an identity provider to roles.

    ISSUER is the value of DOCRAG_OIDC_ISSUER, `open-webui` or `ldap`.
    """


@command.command("set")
@click.argument("issuer")
@click.argument("group_id")
@click.argument("roles", nargs=-1, required=True, callback=split_names)
@pass_session
def set_(session: Session, issuer: str, group_id: str, roles: tuple[str, ...]) -> None:
    """Give members of GROUP_ID exactly these ROLES; admin cannot be given so."""
    with session.assistant() as assistant:
        group = assistant.store.groups.set(issuer_key(issuer), group_id, roles)
    say(f"group {group.group_id} of {group.issuer} gives {', '.join(group.roles)}")


@command.command("list")
@json_option
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the groups that give roles."""
    with session.assistant() as assistant:
        groups = assistant.store.groups.list()
    rows = [
        {"issuer": group.issuer, "group": group.group_id, "roles": group.roles} for group in groups
    ]
    print_rows(rows, as_json=as_json, empty="no groups")


@command.command("delete")
@click.argument("issuer")
@click.argument("group_id")
@pass_session
def delete(session: Session, issuer: str, group_id: str) -> None:
    """Have GROUP_ID give nothing from now on."""
    with session.assistant() as assistant:
        assistant.store.groups.delete(issuer_key(issuer), group_id)
    say(f"group {group_id} of {issuer} gives nothing any more")
