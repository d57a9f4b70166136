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
    say(f"database is at {after}" if before == after else f"migrated from {before} to {after}")
