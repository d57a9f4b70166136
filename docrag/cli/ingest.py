"""``docrag ingest``: files and folders made searchable, now and in this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from docrag.api import DocumentError, DuplicateDocument
from docrag.assistant import Assistant
from docrag.cli.output import json_option, print_rows, progress, say
from docrag.cli.session import Session, known_roles, pass_session, split_names
from docrag.store.records import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file."""

    file: str
    #: ``ready``, ``ready_with_warnings``, ``unchanged`` or ``failed``.
    state: str
    id: str = ""
    pages: int | None = None
    chunks: int = 0
    #: Why it failed, or what is incomplete; empty otherwise.
    reason: str = ""

    @property
    def failed(self) -> bool:
        """True if the file is not searchable."""
        return self.state == "failed"


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--role",
    "roles",
    multiple=True,
    required=True,
    callback=split_names,
    help="Role that may read the documents; repeat it, or separate several by commas.",
)
@click.option("--title", default="", help="Title of a single file.")
@json_option
@pass_session
def command(
    session: Session, paths: tuple[Path, ...], roles: tuple[str, ...], title: str, as_json: bool
) -> None:
    """Make files, and the readable files of folders, searchable for the roles.

    What is stored already is skipped. A file that fails is reported, the others go on, and the
    exit code is 1.
    """
    with session.assistant() as assistant:
        allowed = known_roles(assistant.store, roles)
        files = list(_files(paths, assistant.registry.names("loaders")))
        if title and len(files) != 1:
            raise click.UsageError(f"--title is for one file, these are {len(files)}")
        with progress(len(files), "files", "file") as bar:
            outcomes = []
            for file in files:
                outcomes.append(_ingest(assistant, file, allowed, title, bar))
                bar.update()
    print_rows(_rows(outcomes), as_json=as_json, empty="no file that a loader reads")
    failed = sum(outcome.failed for outcome in outcomes)
    if not as_json and outcomes:
        unchanged = sum(outcome.state == "unchanged" for outcome in outcomes)
        say(f"{len(outcomes) - failed - unchanged} stored, {unchanged} unchanged, {failed} failed")
    if failed or not outcomes:
        sys.exit(1)


def _files(paths: tuple[Path, ...], suffixes: list[str]) -> Iterator[Path]:
    """Named files as they are; of folders, what a loader reads, in order of their path."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for file in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
            if file.is_file() and not hidden and file.suffix[1:].lower() in suffixes:
                yield file


def _ingest(
    assistant: Assistant, file: Path, roles: frozenset[str], title: str, bar: tqdm[Any]
) -> Outcome:
    def report(job: Job) -> None:
        bar.set_postfix_str(f"{file.name}: {job.stage} {job.done}/{job.total}")

    try:
        document = assistant.ingest(file, roles=roles, title=title, progress=report)
    except DuplicateDocument as exc:
        return Outcome(file=str(file), state="unchanged", id=exc.document_id)
    except (DocumentError, OSError) as exc:
        reason = (exc.strerror or "") if isinstance(exc, OSError) else str(exc)
        return Outcome(file=str(file), state="failed", reason=reason)
    return Outcome(
        file=str(file),
        state=document.state,
        id=document.id,
        pages=document.pages,
        chunks=document.chunks,
        reason="; ".join(document.warnings),
    )


def _rows(outcomes: list[Outcome]) -> list[dict[str, object]]:
    return [
        {
            "file": item.file,
            "state": str(item.state),
            "id": item.id,
            "pages": item.pages,
            "chunks": item.chunks,
            "reason": item.reason,
        }
        for item in outcomes
    ]
