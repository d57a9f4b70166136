"""``docrag migrate``: brings the database to the newest schema."""

from __future__ import annotations

import click

from docrag.api import ADMIN_ROLE, Access
from docrag.assistant import Assistant
from docrag.cli.output import say
from docrag.cli.session import Session, pass_session
from docrag.store.migrate import current, upgrade
from docrag.store.records import DocumentState


@click.command("migrate")
@pass_session
def command(session: Session) -> None:
    """Create or upgrade the tables; nothing happens when they are up to date."""
    url = Assistant.database_url(session.settings)
    before = current(url)
    upgrade(url)
    after = current(url)
    if before == after:
        say(f"the database is up to date ({after})")
    else:
        say(f"migrated the database from {before or 'no schema'} to {after}")
        with Assistant.open(session.settings) as assistant:
            waiting = sum(
                document.state == DocumentState.QUEUED
                for document in assistant.documents(access=Access.of([ADMIN_ROLE]))
            )
        if waiting:
            say(f"documents waiting to be indexed, and not found until then: {waiting}")
