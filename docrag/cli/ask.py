"""``docrag ask``: a cited answer in the terminal."""

from __future__ import annotations

import sys
from datetime import date
from typing import Final

import click

from docrag.answer.footer import nearest
from docrag.api import Answer
from docrag.cli.dates import on_option
from docrag.cli.output import json_option, print_json
from docrag.cli.session import (
    Session,
    access_of,
    pass_session,
    require_asker,
    split_names,
)

#: Exit code when the permitted documents do not hold the answer.
NOTHING_FOUND: Final = 3


@click.command("ask")
@click.argument("question")
@click.option("--role", "roles", multiple=True, callback=split_names, help="Ask as this role.")
@click.option("--user", "username", help="Ask with the roles of this user.")
@on_option
@json_option
@pass_session
def command(
    session: Session,
    question: str,
    roles: tuple[str, ...],
    username: str | None,
    on: date | None,
    as_json: bool,
) -> None:
    """Answer QUESTION from the documents that the roles may read, with sources.

    Exit code 3 when these documents do not hold the answer.
    """
    if not question.strip():
        raise click.UsageError("the question is empty")
    require_asker(roles, username)
    with session.assistant() as assistant:
        access = access_of(assistant.store, roles, username)
        answer = assistant.ask(question, access=access, channel="cli", on=on)
    if as_json:
        print_json(answer)
    else:
        click.echo(_for_people(answer, assistant.settings.language))
    if answer.abstention is not None:
        sys.exit(NOTHING_FOUND)


def _for_people(answer: Answer, language: str) -> str:
    if answer.abstention:
        return answer.text + nearest(answer.abstention.nearest, lambda _: "", language)
    sources = [f"[{source.number}] {source.label}" for source in answer.citations]
    return "\n".join([answer.text, "", *sources] if sources else [answer.text])
