"""The ``docrag`` command: finds its subcommands, and turns errors into one clear line."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from docrag import __version__
from docrag.api import DocragError
from docrag.cli.listing import Listing
from docrag.cli.session import Session

#: Exit codes, which scripts rely on; docs/cli.md tells them.
FAILURE: Final = 1
#: Of Ctrl-C, as shells have it: 128 and the number of the signal.
INTERRUPTED: Final = 130

#: Subcommand to module, in the order of ``docrag --help``; the module holds ``command``.
COMMANDS: Final = {
    "serve": "docrag.cli.serve",
    "worker": "docrag.cli.worker",
    "migrate": "docrag.cli.migrate",
    "ingest": "docrag.cli.ingest",
    "ask": "docrag.cli.ask",
    "search": "docrag.cli.search",
    "documents": "docrag.cli.documents",
    "reindex": "docrag.cli.reindex",
    "jobs": "docrag.cli.jobs",
    "user": "docrag.cli.user",
    "role": "docrag.cli.role",
    "group": "docrag.cli.groups",
    "key": "docrag.cli.key",
    "audit": "docrag.cli.audit",
    "feedback": "docrag.cli.feedback",
    "leaktest": "docrag.cli.leaktest",
    "eval": "docrag.cli.eval",
    "plugins": "docrag.cli.plugins",
    "doctor": "docrag.cli.doctor",
    "settings": "docrag.cli.settings",
}


class Commands(Listing):
    """Subcommands that are imported when they are asked for, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all subcommands, in reading order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, or ``None``."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Run the subcommand; an error made on purpose becomes one line and exit code 1."""
        try:
            return super().invoke(ctx)
        except DocragError as exc:
            click.echo(f"docrag: error: {exc}", err=True)
            sys.exit(FAILURE)
        except PermissionError as exc:
            name = Path(str(exc.filename or "a file")).name
            click.echo(f"docrag: error: {name}: {exc.strerror}; look at its owner", err=True)
            sys.exit(FAILURE)
        except KeyboardInterrupt:
            click.echo("docrag: interrupted", err=True)
            sys.exit(INTERRUPTED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="docrag")
@click.option(
    "--instance",
    type=click.Path(file_okay=False, path_type=Path),
    help="Instance folder, instead of DOCRAG_INSTANCE.",
)
@click.pass_context
def main(ctx: click.Context, instance: Path | None) -> None:
    """Answers over your own documents, cited by page, filtered by role.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing found.
    """
    ctx.obj = Session(instance=instance)
