"""``docrag key``: API keys, shown once when they are made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import click

from docrag.access.frontends import METHODS
from docrag.access.keys import new_key
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_json, print_rows, say
from docrag.cli.session import Session, pass_session, split_names
from docrag.store.keys import CITATIONS

#: Kinds of keys: of a user, of a front end that names users, of a program with fixed roles.
KINDS = ("user", "frontend", "service")
#: What ``--citations`` means.
SHOWN = (
    "How its answers show their sources: what every client reads, a Markdown list besides for "
    "clients that show text only, Open WebUI's events always."
)


@click.group("key", cls=Listing)
def command() -> None:
    """Create, list, change and revoke API keys."""


@command.command("create")
@click.argument("username")
@click.option("--name", required=True, help="What the key is for.")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="user",
    show_default=True,
    help="Who asks with it: one user, a front end for the people that it names, a service.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="How a front end names people: signed token, OpenID Connect token, plain headers.",
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    callback=split_names,
    help="Narrows a user's key; fixed role of a service; most that a front end gets.",
)
@click.option("--days", type=click.IntRange(1, 3650), help="Days until it expires; never if unset.")
@click.option(
    "--citations", type=click.Choice(CITATIONS), default="auto", show_default=True, help=SHOWN
)
@json_option
@pass_session
def create(
    session: Session,
    username: str,
    name: str,
    kind: str,
    method: str | None,
    roles: tuple[str, ...],
    days: int | None,
    citations: str,
    as_json: bool,
) -> None:
    """Create an API key for USERNAME and print it, this once."""
    _check(kind, method, roles)
    made = new_key()
    expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
    with session.assistant() as assistant:
        key = assistant.store.keys.create(
            username=username,
            name=name,
            key_hash=made.digest,
            prefix=made.prefix,
            expires_at=expires,
            kind=kind,
            method=method,
            roles=roles,
            citations=citations,
        )
    if as_json:
        print_json({"id": key.id, "username": username, "name": name, "key": made.secret})
    else:
        say(f"{kind} key {key.id} of {username}, shown this once:")
        click.echo(made.secret)


@command.command("list")
@click.option("--user", "username", help="Only the keys of this user.")
@json_option
@pass_session
def list_(session: Session, username: str | None, as_json: bool) -> None:
    """List API keys, without their secrets."""
    with session.assistant() as assistant:
        keys = assistant.store.keys.list(username)
    rows = [
        {
            "id": key.id,
            "user": key.username,
            "name": key.name,
            "kind": key.kind,
            "method": key.method,
            "roles": key.roles,
            "citations": key.citations,
            "prefix": key.prefix,
            "created_at": key.created_at,
            "expires_at": key.expires_at,
            "last_used_at": key.last_used_at,
        }
        for key in keys
    ]
    print_rows(rows, as_json=as_json, empty="no keys")


@command.command("set")
@click.argument("key_id", type=int)
@click.option("--citations", type=click.Choice(CITATIONS), required=True, help=SHOWN)
@pass_session
def set_(session: Session, key_id: int, citations: str) -> None:
    """Change the API key KEY_ID; its next answer follows."""
    with session.assistant() as assistant:
        assistant.store.keys.set_citations(key_id, citations)
    say(f"key {key_id} shows citations: {citations}")


@command.command("revoke")
@click.argument("key_id", type=int)
@pass_session
def revoke(session: Session, key_id: int) -> None:
    """Revoke the API key KEY_ID; it opens nothing from then on."""
    with session.assistant() as assistant:
        assistant.store.keys.revoke(key_id)
    say(f"revoked key {key_id}")


def _check(kind: str, method: str | None, roles: tuple[str, ...]) -> None:
    """:raises click.UsageError: kind, method and roles do not go together."""
    if (kind == "frontend") != (method is not None):
        raise click.UsageError("give --method with --kind frontend, and only with it")
    if kind == "service" and not roles:
        raise click.UsageError("a service needs at least one --role")
