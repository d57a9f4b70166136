"""``docrag search``: the passages that an answer would be written from."""

from __future__ import annotations

import sys
from datetime import date

import click

from docrag.api import Leg, ScoredChunk
from docrag.cli.ask import NOTHING_FOUND
from docrag.cli.dates import on_option
from docrag.cli.output import json_option, print_json, say
from docrag.cli.session import (
    Session,
    access_of,
    pass_session,
    require_asker,
    split_names,
)


@click.command("search")
@click.argument("query")
@click.option("--role", "roles", multiple=True, callback=split_names, help="Search as this role.")
@click.option("--user", "username", help="Search with the roles of this user.")
@click.option("-k", type=click.IntRange(1, 200), help="Most passages, instead of DOCRAG_TOP_K.")
@on_option
@click.option("--explain", is_flag=True, help="Also print all scores and ranks.")
@json_option
@pass_session
def command(
    session: Session,
    query: str,
    roles: tuple[str, ...],
    username: str | None,
    k: int | None,
    on: date | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Print the passages that the roles may read, best first. Exit code 3 when there are none."""
    require_asker(roles, username)
    with session.assistant() as assistant:
        access = access_of(assistant.store, roles, username)
        found = assistant.search(query, access=access, k=k, on=on)
    if as_json:
        print_json(found)
    elif found:
        shown = [_for_people(place, hit, explain) for place, hit in enumerate(found, 1)]
        click.echo("\n\n".join(shown))
    else:
        say("nothing found")
    if not found:
        sys.exit(NOTHING_FOUND)


def _for_people(place: int, hit: ScoredChunk, explain: bool) -> str:
    chunk = hit.chunk
    page = "" if chunk.page_first is None else f" s. {chunk.page_first}"
    lines = [f"{place}. {chunk.filename}{page}  ({hit.score:.3f})"]
    if explain:
        lines += [f"   {_explained(leg)}" for leg in hit.legs]
    return "\n".join([*lines, chunk.text])


def _explained(leg: Leg) -> str:
    """One search or field, with the chunk's place in it."""
    return f"{leg.name:<8} {leg.score:>9.3f}  {f'#{leg.rank}' if leg.rank else 'not in its list'}"
