"""``docrag worker``: reads uploaded documents in a process of its own."""

from __future__ import annotations

import os
import signal
import threading
from typing import Final

import click

from docrag.cli.lifeline import await_supervisor_gone, follow_supervisor, stop_on_signals
from docrag.cli.logs import configure_logging
from docrag.cli.session import Session, pass_session

#: Added niceness: answering people goes before reading documents.
NICENESS: Final = 5


@click.command("worker")
@click.option("--once", is_flag=True, help="Work off what is queued, then end.")
@pass_session
def command(session: Session, once: bool) -> None:
    """Read, cut and index uploaded documents until stopped."""
    follow_supervisor()
    configure_logging(session.settings.log_level)
    stop = threading.Event()
    stop_on_signals(stop, signal.SIGTERM, signal.SIGINT)
    os.nice(NICENESS)
    with session.assistant() as assistant:
        assistant.check()
        if once:
            while not stop.is_set() and assistant.work_once():
                pass
        else:
            assistant.work(stop=stop)
        await_supervisor_gone()
