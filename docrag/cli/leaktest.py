"""``docrag leaktest``: an operator's own proof that a deployed server keeps its documents apart."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from docrag.cli.leak.server import Server
from docrag.cli.leak.troupe import Troupe
from docrag.cli.leak.walk import Findings, table, walk
from docrag.cli.output import json_option, print_json, print_rows, say

#: Exit code of a leak, and of a walk that proves nothing.
LEAKED = 1


@click.command("leaktest")
@click.option("--url", required=True, help="Address of the server, such as http://127.0.0.1:8000.")
@click.option(
    "--admin-key",
    required=True,
    help="API key of an administrator; - reads it from standard input.",
)
@click.option(
    "--timeout",
    default=120.0,
    show_default=True,
    type=click.FloatRange(1),
    help="Seconds that the test documents may take to be searchable.",
)
@json_option
def command(url: str, admin_key: str, timeout: float, as_json: bool) -> None:
    """Try to read what one may not, on every route of a running server.

    Makes throw-away roles, users, keys and documents, sends every request of /openapi.json as each
    user and as a stranger, and looks for the words of documents that are closed to the sender. What
    was made is removed in the end. The last line is the result: N scenarios, M leaks.
    """
    key = sys.stdin.readline().strip() if admin_key == "-" else admin_key
    server = Server(url)
    with _signals_interrupt():
        troupe = Troupe(server, key)
        try:
            say(f"making throw-away people and documents, all named {troupe.mark}-…")
            troupe.make(patience=timeout)
            findings = walk(server, troupe, key, listen=lambda name: say(f"walking as {name}"))
        finally:
            _clean_up(troupe)
            server.close()
    _report(findings, as_json=as_json)


def _report(findings: Findings, *, as_json: bool) -> None:
    """Print the result, and leave with its exit code."""
    rows = table(findings)
    if as_json:
        print_json({"rows": rows, "scenarios": findings.scenarios, "leaks": findings.leaks})
    else:
        print_rows(rows, as_json=False)
    if not findings.own:
        say("nobody saw even their own documents: this walk proves nothing")
    if not as_json:
        click.echo(f"{findings.scenarios} scenarios, {findings.leaks} leaks")
    if findings.leaks or not findings.own:
        sys.exit(LEAKED)


def _clean_up(troupe: Troupe) -> None:
    """Remove what was made; a second Ctrl-C does not stop that."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        problems = troupe.remove()
    finally:
        signal.signal(signal.SIGINT, previous)
    for problem in problems:
        say(f"not removed: {problem}")
    if problems:
        say(f"remove by hand what is named {troupe.mark}-…")


@contextmanager
def _signals_interrupt() -> Iterator[None]:
    """Have SIGTERM and SIGHUP end the block as Ctrl-C does, so that it cleans up."""

    def interrupt(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = {
        number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
