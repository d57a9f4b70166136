"""``docrag worker``: reads uploaded documents in a process of its own."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from typing import Final

import click

from docrag.cli.crew import Crew
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
@click.option(
    "--processes", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Workers that read documents at the same time.",
)  # fmt: skip
@pass_session
def command(session: Session, once: bool, processes: int) -> None:
    """Read, cut and index uploaded documents until stopped."""
    follow_supervisor()
    configure_logging(session.settings.log_level)
    stop = threading.Event()
    stop_on_signals(stop, signal.SIGTERM, signal.SIGINT)
    if processes > 1:
        program = (sys.executable, "-m", "docrag.cli", "worker", *(["--once"] if once else []))
        # One database server for all, whoever is the first.
        with session.assistant() as assistant:
            assistant.check()
            sys.exit(Crew(program, size=processes, lasting=not once).run(stop))
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
