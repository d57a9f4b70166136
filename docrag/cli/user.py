"""``docrag user``: people and programs that may call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from docrag.access.names import look_alike, new_username
from docrag.access.oidc import issuer_key
from docrag.access.passwords import hash_password, new_password
from docrag.api import NameTaken
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_json, print_rows, say
from docrag.cli.session import Session, pass_session, split_names
from docrag.store.users import Users

_F = TypeVar("_F", bound=Callable[..., Any])


def password_options(command: _F) -> _F:
    """Where the password comes from: ``--password-stdin`` and ``--generate``."""
    stdin = click.option(
        "--password-stdin", is_flag=True, help="Read the password from standard input."
    )
    made = click.option(
        "--generate", is_flag=True, help="Make a random password and print it, this once."
    )
    return stdin(made(command))


@click.group("user", cls=Listing)
def command() -> None:
    """Create, list, change and deactivate users."""


@command.command("create")
@click.argument("username")
@click.option("--role", "roles", multiple=True, callback=split_names, help="A role of the user.")
@click.option("--email", help="Mail address by which a front end may name the user.")
@password_options
@json_option
@pass_session
def create(
    session: Session,
    username: str,
    roles: tuple[str, ...],
    email: str | None,
    password_stdin: bool,
    generate: bool,
    as_json: bool,
) -> None:
    """Create user USERNAME; asks for the password in a terminal."""
    password = _password(from_stdin=password_stdin, generate=generate)
    hashed = _hash(password)
    with session.assistant() as assistant:
        users = assistant.store.users
        made = users.create(
            username=_new_name(users, username), password_hash=hashed, roles=roles, email=email
        )
    shown = {"password": password} if generate else {}
    if as_json:
        print_json({"username": made.username, "roles": made.roles, **shown})
        return
    say(f"created user {made.username} with roles {', '.join(made.roles) or 'none'}")
    if generate:
        click.echo(password)


@command.command("list")
@json_option
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List all users."""
    with session.assistant() as assistant:
        users = assistant.store.users.list()
    rows = [
        {
            "id": user.id,
            "username": user.username,
            "email": user.email,
            "roles": user.roles,
            "active": user.active,
        }
        for user in users
    ]
    print_rows(rows, as_json=as_json, empty="no users")


@command.command("set-roles")
@click.argument("username")
@click.argument("roles", nargs=-1, callback=split_names)
@pass_session
def set_roles(session: Session, username: str, roles: tuple[str, ...]) -> None:
    """Give USERNAME exactly these ROLES; the next request of the user goes by them."""
    with session.assistant() as assistant:
        assistant.store.users.set_roles(username, roles)
    say(f"user {username} has roles {', '.join(roles) or 'none'}")


@command.command("set-email")
@click.argument("username")
@click.argument("email", required=False)
@pass_session
def set_email(session: Session, username: str, email: str | None) -> None:
    """Have EMAIL mean USERNAME when a front end or an issuer vouches for it; none if left out."""
    with session.assistant() as assistant:
        user = assistant.store.users.set_email(username, email)
    say(f"user {username} has the mail address {user.email or 'none'}")


@command.command("set-password")
@click.argument("username")
@password_options
@pass_session
def set_password(session: Session, username: str, password_stdin: bool, generate: bool) -> None:
    """Give USERNAME another password; sessions and tokens of the old one end, keys stay."""
    password = _password(from_stdin=password_stdin, generate=generate)
    with session.assistant() as assistant:
        assistant.store.users.set_password(username, _hash(password))
    say(f"user {username} has another password")
    if generate:
        click.echo(password)


@command.command("link")
@click.argument("username")
@click.argument("issuer")
@click.argument("subject")
@pass_session
def link(session: Session, username: str, issuer: str, subject: str) -> None:
    """Have SUBJECT of ISSUER mean USERNAME.

    ISSUER is the value of DOCRAG_OIDC_ISSUER, `open-webui` or `ldap`; SUBJECT is the lasting
    identifier of the person there.
    """
    with session.assistant() as assistant:
        assistant.store.users.link(username, issuer_key(issuer), subject)
    say(f"{subject} of {issuer} is user {username}")


@command.command("activate")
@click.argument("username")
@pass_session
def activate(session: Session, username: str) -> None:
    """Let USERNAME in again, with the roles, password and keys of before."""
    with session.assistant() as assistant:
        assistant.store.users.activate(username)
    say(f"activated user {username}")


@command.command("deactivate")
@click.argument("username")
@pass_session
def deactivate(session: Session, username: str) -> None:
    """Shut USERNAME out; its keys open nothing from then on."""
    with session.assistant() as assistant:
        assistant.store.users.deactivate(username)
    say(f"deactivated user {username}")


def _new_name(users: Users, text: str) -> str:
    """The name of a new user.

    :raises StoreError: it has another form.
    :raises NameTaken: it looks like the name of somebody else.
    """
    name = new_username(text)
    alike = look_alike(name, (user.username for user in users.list()))
    if alike is not None:
        raise NameTaken("user", alike)
    return name


def _hash(password: str) -> str:
    """:raises click.UsageError: the password is too short or too long."""
    try:
        return hash_password(password)
    except ValueError as exc:
        raise click.UsageError(str(exc)) from exc


def _password(*, from_stdin: bool, generate: bool) -> str:
    if from_stdin and generate:
        raise click.UsageError("choose one of --password-stdin and --generate")
    if generate:
        return new_password()
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise click.UsageError(
            "no terminal to ask for a password; add --password-stdin or --generate"
        )
    answer: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return answer
