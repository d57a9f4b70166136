"""``docrag migrate``: brings the database to the newest schema."""

from __future__ import annotations

import click

from docrag.assistant import Assistant
from docrag.cli.output import say
from docrag.cli.session import Session, pass_session
from docrag.store.migrate import current, upgrade


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
