"""``docrag ingest``: files, folders and globs made searchable, once or for as long as it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import click

from docrag.assistant import NewVersion
from docrag.cli.dates import day_option
from docrag.cli.files import named_files
from docrag.cli.following import follow
from docrag.cli.output import json_option, print_rows, progress, say
from docrag.cli.session import Session, known_roles, pass_session, split_names
from docrag.cli.taking import Outcome, Taking, progress_of
from docrag.store.records import Job


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--role",
    "roles",
    multiple=True,
    callback=split_names,
    help="Role that may read the documents; repeat it, or separate several by commas.",
)
@click.option("--title", default="", help="Title of a single file.")
@click.option("--replaces", metavar="ID", help="Document whose next version it is.")
@day_option("--valid-from", help="First day on which the documents are in force.")
@day_option("--valid-to", help="Last day on which they are.")
@click.option("--no-wait", is_flag=True, help="Queue the files only; a worker reads them.")
@click.option("--watch", is_flag=True, help="Go on: take in what is new or changed in folders.")
@click.option(
    "--interval", type=click.FloatRange(min=0.1), default=5.0, show_default=True,
    help="Seconds between two looks of --watch.",
)  # fmt: skip
@json_option
@pass_session
def command(
    session: Session,
    paths: tuple[str, ...],
    roles: tuple[str, ...],
    title: str,
    replaces: str | None,
    valid_from: date | None,
    valid_to: date | None,
    no_wait: bool,
    watch: bool,
    interval: float,
    as_json: bool,
) -> None:
    """Make files, and the readable files of folders and '*.pdf', searchable for the roles.

    What is stored already is skipped. A file that fails is reported, the others go on, and the
    exit code is 1.
    """
    if replaces is not None and not replaces.strip():
        raise click.UsageError("--replaces is empty; name the document, or leave the option out")
    if not roles and not replaces:
        raise click.UsageError("Missing option '--role'.")
    version = NewVersion(replaces=replaces or "", valid_from=valid_from, valid_to=valid_to)
    if watch:
        if title or version != NewVersion():
            raise click.UsageError("--watch takes no title, no days and no document to replace")
        taking = Taking(roles=frozenset(roles), wait=not no_wait)
        sys.exit(follow(session, _folders(paths), taking, interval=interval, as_json=as_json))
    taking = Taking(roles=frozenset(roles), title=title, version=version, wait=not no_wait)
    outcomes = _take(session, paths, taking)
    print_rows(
        [item.row for item in outcomes], as_json=as_json, empty="no file that a loader reads"
    )
    failed = sum(outcome.failed for outcome in outcomes)
    if not as_json and outcomes:
        unchanged = sum(outcome.state == "unchanged" for outcome in outcomes)
        done = "queued" if no_wait else "stored"
        say(f"{len(outcomes) - failed - unchanged} {done}, {unchanged} unchanged, {failed} failed")
    if failed or not outcomes:
        sys.exit(1)


def _take(session: Session, paths: tuple[str, ...], taking: Taking) -> list[Outcome]:
    """What became of each file, one after the other."""
    outcomes: list[Outcome] = []
    with session.assistant() as assistant:
        known_roles(assistant.store, taking.roles)
        files = list(named_files(paths, assistant.registry.names("loaders")))
        if (taking.title or taking.version.replaces) and len(files) != 1:
            option = "--replaces" if taking.version.replaces else "--title"
            raise click.UsageError(f"{option} is for one file, these are {len(files)}")
        with progress(len(files), "files", "file") as bar, _told_when_broken_off(outcomes, files):
            for file in files:

                def listen(job: Job, name: str = file.name) -> None:
                    bar.set_postfix_str(progress_of(name, job))

                outcomes.append(taking.take(assistant, file, listen=listen))
                bar.update()
    return outcomes


@contextmanager
def _told_when_broken_off(outcomes: Sequence[Outcome], files: Sequence[Path]) -> Iterator[None]:
    """Say how far the block got when Ctrl-C ends it."""
    try:
        yield
    except KeyboardInterrupt:
        done = sum(not outcome.failed for outcome in outcomes)
        say(f"interrupted: {done} of {len(files)} files are stored; run it again for the others")
        raise


def _folders(paths: tuple[str, ...]) -> list[Path]:
    """The folders that are watched.

    :raises click.UsageError: one is no folder, or two have one name, by which their documents would
        be taken for one another's versions.
    """
    folders = [Path(path) for path in paths]
    for folder in folders:
        if not folder.is_dir():
            raise click.UsageError(f"--watch needs folders, and {str(folder)!r} is none")
    if len({folder.resolve().name for folder in folders}) < len(folders):
        raise click.UsageError("two folders have the same name; watch each by a command of its own")
    return folders
