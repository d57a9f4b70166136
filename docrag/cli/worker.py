"""``docrag worker``: reads uploaded documents in a process of its own."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import Final

import click

from docrag.cli.lifeline import await_supervisor_gone, follow_supervisor, stop_on_signals
from docrag.cli.logs import configure_logging
from docrag.cli.session import Session, pass_session

logger = logging.getLogger(__name__)

#: Exit code of a worker that hung; a supervisor starts a new one. Of sysexits.h: try again.
STUCK: Final = 75
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
            assistant.work(stop=stop, stuck=_end)
        await_supervisor_gone()


def _end() -> None:
    """End this process without ado: its main thread hangs in a document, and hears no signal."""
    logger.critical("this worker stands still and ends", extra={"action": "worker_stuck"})
    logging.shutdown()
    os._exit(STUCK)
