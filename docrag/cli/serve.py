"""``docrag serve``: database, first run, web server and worker, with one command."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from docrag.api import SettingsError, StoreError
from docrag.assistant import Assistant
from docrag.cli import firstrun, listener
from docrag.cli.firstrun import Credentials
from docrag.cli.lifeline import stop_on_signals
from docrag.cli.logs import configure_logging
from docrag.cli.output import progress, say
from docrag.cli.session import Session, pass_session
from docrag.cli.supervisor import Supervisor
from docrag.cli.watch import DatabaseWatch
from docrag.settings import Settings
from docrag.store.embedded import Embedded, default_data_dir
from docrag.store.migrate import upgrade
from docrag.store.records import DocumentState

#: Seconds until the server must answer; a cold start on a busy machine takes twenty.
_READY_WITHIN: Final = 180.0
#: Seconds until the sample documents must be read; they are a few pages.
_SAMPLES_WITHIN: Final = 300.0
#: Seconds between two looks at something that is awaited.
_INTERVAL: Final = 0.2
#: Exit code of a start that Ctrl-C ended, as shells have it: 128 and the number of the signal.
_INTERRUPTED: Final = 130

#: gunicorn runs it as a file, so that only what it needs is imported.
_GUNICORN: Final = Path(__file__).with_name("gunicorn_config.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Exception):
    """The server was told to stop, or ended, before it was ready."""

    code: int


@click.command("serve")
@click.option("--host", help="Address to listen on, instead of DOCRAG_HOST.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port, instead of PORT.")
@click.option("--worker/--no-worker", default=True, help="Start a worker too, or not.")
@click.option("--init", is_flag=True, help="Migrate and do the first run with DATABASE_URL too.")
@pass_session
def command(session: Session, host: str | None, port: int | None, worker: bool, init: bool) -> None:
    """Start everything and serve until stopped.

    Without DATABASE_URL this also starts the embedded PostgreSQL, migrates it, and on an empty
    database makes the user admin, an API key and the sample documents.
    """
    configure_logging(session.settings.log_level)
    settings = session.settings
    host, port = host or settings.host, port or settings.port
    if settings.database_url and not settings.secret_key:
        raise SettingsError(
            "SECRET_KEY is not set; with DATABASE_URL it has no default: set it to the output of "
            "`openssl rand -hex 32`, the same on every process"
        )
    stop = threading.Event()
    came = stop_on_signals(stop, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    sock = listener.bind(host, port)
    if settings.database_url and init:
        upgrade(settings.database_url)
    with session.assistant(create=True) as assistant:
        assistant.check()
        code = _serve(assistant, _Run(settings, host, port, sock, worker, init, stop, came))
    sys.exit(code)


@dataclass(frozen=True, slots=True)
class _Run:
    settings: Settings
    host: str
    port: int
    sock: socket.socket
    worker: bool
    init: bool
    stop: threading.Event
    #: Signals that came.
    came: list[int]

    @property
    def stopped(self) -> int:
        """Exit code of a stop before the server was ready."""
        return _INTERRUPTED if signal.SIGINT in self.came else 0

    @property
    def url(self) -> str:
        return self.settings.public_url or listener.url(self.host, self.port)


def _serve(assistant: Assistant, run: _Run) -> int:
    made = None
    if run.stop.is_set():
        return run.stopped
    if run.init or not run.settings.database_url:
        made = firstrun.first_run(assistant, url=run.url)
    supervisor = Supervisor(
        web=_web_command(run.sock.fileno()),
        worker=_program("worker") if run.worker else None,
        environment=_environment(run),
        inherited=(run.sock.fileno(),),
    )
    try:
        supervisor.start()
        # gunicorn has the socket now; a copy here would keep the port taken after its end.
        run.sock.close()
        with _watch(run.settings, supervisor):
            _await_ready(supervisor, run)
            if run.worker and made and made.samples:
                _await_samples(assistant, made.samples, supervisor, run)
            _renew_url(run)
            _greet(run, made.credentials if made else None)
            return supervisor.wait(run.stop)
    except Stopped as stopped:
        return stopped.code
    finally:
        supervisor.close()


def _watch(settings: Settings, supervisor: Supervisor) -> AbstractContextManager[object]:
    """What brings the embedded database back; nothing for a database of others."""
    if settings.database_url:
        return nullcontext()
    embedded = Embedded(default_data_dir(settings.instance))
    return DatabaseWatch(embedded, moved=supervisor.reload)


def _await(done: Callable[[], bool], supervisor: Supervisor, run: _Run, within: float) -> bool:
    """True once ``done`` is; False if it was not in time.

    :raises Stopped: told to stop, or the web server ended.
    """
    deadline = time.monotonic() + within
    while not done():
        code = supervisor.ended()
        if code is not None:
            say(f"docrag: error: the web server ended with code {code} before it was ready")
            raise Stopped(code=code or 1)
        if run.stop.wait(_INTERVAL):
            raise Stopped(code=run.stopped)
        if time.monotonic() > deadline:
            return False
    return True


def _await_ready(supervisor: Supervisor, run: _Run) -> None:
    def ready() -> bool:
        return listener.answers(run.host, run.port, "/readyz")

    if not _await(ready, supervisor, run, _READY_WITHIN):
        raise StoreError(
            f"the server did not become ready within {_READY_WITHIN:.0f} s; "
            "`docrag doctor` says what is missing"
        )


def _await_samples(
    assistant: Assistant, ids: tuple[str, ...], supervisor: Supervisor, run: _Run
) -> None:
    say(f"docrag: reading {len(ids)} sample documents")
    with progress(len(ids), "sample documents", "document") as bar:

        def done() -> bool:
            count = len(firstrun.settled(assistant, ids))
            bar.update(count - bar.n)
            return count == len(ids)

        complete = _await(done, supervisor, run, _SAMPLES_WITHIN)
    states = firstrun.settled(assistant, ids)
    failed = [item for item, state in states.items() if state is DocumentState.FAILED]
    if failed or not complete:
        say("docrag: not all sample documents are ready; `docrag documents list` says why")


def _renew_url(run: _Run) -> None:
    try:
        firstrun.renew_url(run.settings.instance, run.url)
    except (OSError, StoreError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else exc
        say(f"docrag: the url in {firstrun.FILENAME} may be out of date: {why}")


def _greet(run: _Run, made: Credentials | None) -> None:
    """Tell a person where to go; the password is told this once."""
    lines = [f"docrag is ready at {run.url}"]
    file = Path(run.settings.instance) / firstrun.FILENAME
    if made:
        lines += [
            f"  user      {made.admin_user}",
            f"  password  {made.admin_password}",
            f"  API key   {made.api_key}",
            f"These are shown once; {file} keeps them for you alone.",
        ]
    elif file.is_file():
        lines.append(f"User, password and API key of the first run are in {file}")
    click.echo("\n".join(lines))


def _environment(run: _Run) -> Mapping[str, str]:
    """What the children are told: the same instance, address and one thread for each model call.

    Two OpenMP threads on a busy machine wait for each other and take three times the processor.
    """
    settings = run.settings
    return {
        "OMP_NUM_THREADS": "1",
        **os.environ,
        "SECRET_KEY": settings.secret_key or firstrun.secret_key(settings.instance),
        "DOCRAG_INSTANCE": str(settings.instance),
        "DOCRAG_HOST": run.host,
        "PORT": str(run.port),
        "DOCRAG_EMBEDDER": settings.embedder,
        "DOCRAG_RETRIEVER": settings.retriever,
    }


def _program(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "docrag.cli", *arguments)


def _web_command(descriptor: int) -> tuple[str, ...]:
    config = ("--config", f"file:{_GUNICORN}", "--bind", f"fd://{descriptor}")
    return (sys.executable, "-m", "gunicorn", *config, "docrag.web:create_app()")
