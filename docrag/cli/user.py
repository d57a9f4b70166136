"""``docrag user``: people and programs that may call."""

from __future__ import annotations

import sys

import click

from docrag.access.passwords import hash_password, new_password
from docrag.cli.output import json_option, print_json, print_rows, say
from docrag.cli.session import Session, pass_session, split_names


@click.group("user")
def command() -> None:
    """Create, list, change and deactivate users."""


@command.command("create")
@click.argument("username")
@click.option("--role", "roles", multiple=True, callback=split_names, help="A role of the user.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.option("--generate", is_flag=True, help="Make a random password and print it, this once.")
@json_option
@pass_session
def create(
    session: Session,
    username: str,
    roles: tuple[str, ...],
    password_stdin: bool,
    generate: bool,
    as_json: bool,
) -> None:
    """Create user USERNAME; asks for the password in a terminal."""
    password = _password(from_stdin=password_stdin, generate=generate)
    try:
        hashed = hash_password(password)
    except ValueError as exc:
        raise click.UsageError(str(exc)) from exc
    with session.assistant() as assistant:
        made = assistant.store.users.create(username=username, password_hash=hashed, roles=roles)
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
        {"id": user.id, "username": user.username, "roles": user.roles, "active": user.active}
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


@command.command("deactivate")
@click.argument("username")
@pass_session
def deactivate(session: Session, username: str) -> None:
    """Shut USERNAME out; its keys open nothing from then on."""
    with session.assistant() as assistant:
        assistant.store.users.deactivate(username)
    say(f"deactivated user {username}")


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
