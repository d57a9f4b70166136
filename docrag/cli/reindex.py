"""``docrag reindex``: another embedding model or chunker for all documents, while people search."""

from __future__ import annotations

import time
from typing import Final

import click

from docrag.api import StoreError
from docrag.assistant import Assistant
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_rows, progress, say
from docrag.cli.session import Session, pass_session
from docrag.ingest.reindex import SpaceStatus
from docrag.store.records import Space
from docrag.store.switches import SpaceIncomplete

#: Seconds between two looks at a space that is being filled.
LOOK: Final = 2.0


@click.group("reindex", cls=Listing)
def command() -> None:
    """Change the embedding model or the chunker of all documents.

    Name them with DOCRAG_NEXT_EMBEDDER and DOCRAG_NEXT_CHUNKER, restart, and run start, status and
    switch; workers do the work meanwhile, and searches go on. After an upgrade that cuts documents
    in another way there is nothing to name.
    """


@command.command("start")
@pass_session
def start(session: Session) -> None:
    """Have the workers embed all documents as DOCRAG_NEXT_*, or else today's settings, say."""
    with session.assistant() as assistant:
        space = assistant.reindex.start()
        active = assistant.store.spaces.active()
    if active == space:
        say(f"{space.model_id} is searched; workers embed the documents that lack it")
        return
    say(
        f"workers embed all documents with {space.model_id} ({space.chunking}) now; look at "
        "`docrag reindex status`, then run `docrag reindex switch`"
    )


@command.command("status")
@json_option
@pass_session
def status(session: Session, as_json: bool) -> None:
    """Show the embedding spaces and how far they are filled."""
    with session.assistant() as assistant:
        rows = [_row(item) for item in assistant.reindex.status()]
    print_rows(rows, as_json=as_json, empty="no document is embedded")


def _row(item: SpaceStatus) -> dict[str, object]:
    done = item.progress
    return {
        "state": item.state,
        "model": item.space.model_id,
        "dim": item.space.dim,
        "chunking": item.space.chunking,
        "documents": done.documents,
        "missing": done.missing,
        "chunks": done.chunks,
        "all_chunks": done.all_chunks,
        "refused": done.refused,
        "chunks_per_minute": round(done.rate, 1),
        "configured": item.is_configured,
        "ready": done.missing == 0 and item.is_configured,
    }


@command.command("switch")
@click.option("--wait", is_flag=True, help="Wait until all documents are embedded, then switch.")
@pass_session
def switch(session: Session, wait: bool) -> None:
    """Have every search read the space that was filled, from this moment on."""
    with session.assistant() as assistant:
        space = assistant.reindex.coming()
        if wait:
            _switch_when_filled(assistant, space)
        else:
            _switch(assistant, space)
    say(
        "when all runs well, move DOCRAG_NEXT_*, if they are set, to DOCRAG_EMBEDDER and "
        "DOCRAG_CHUNKER; `docrag reindex back` goes back, `docrag reindex drop` frees the space of "
        "the old vectors"
    )


@command.command("back")
@pass_session
def back(session: Session) -> None:
    """Have every search read the space from before again."""
    with session.assistant() as assistant:
        _switch(assistant, assistant.reindex.before())


@command.command("drop")
@pass_session
def drop(session: Session) -> None:
    """Remove the vectors of all spaces that are not searched."""
    with session.assistant() as assistant:
        dropped = assistant.reindex.drop()
    for space in dropped:
        say(f"removed {space.model_id} ({space.chunking})")
    if not dropped:
        say("there is no space but the one that is searched")


def _switch(assistant: Assistant, space: Space) -> None:
    """Switch with a progress bar, and say so."""
    with progress(0, "cutting", "documents") as bar:

        def report(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        assistant.reindex.switch(space, report=report)
    say(f"searches read {space.model_id} ({space.chunking}) now")


def _switch_when_filled(assistant: Assistant, space: Space) -> None:
    while True:
        _wait(assistant, space)
        try:
            return _switch(assistant, space)
        except SpaceIncomplete:
            say("a document has come meanwhile")


def _wait(assistant: Assistant, space: Space) -> None:
    """Return when no document is missing, showing how far it is.

    :raises StoreError: the space was removed meanwhile.
    """
    with progress(0, "embedding", "chunks") as bar:
        while True:
            done = assistant.store.switches.progress(space)
            bar.total = done.all_chunks
            bar.update(done.chunks - bar.n)
            if done.missing == 0:
                return
            time.sleep(LOOK)
            if assistant.store.spaces.building() != space:
                raise StoreError(f"{space.model_id} is not filled any more; another began or ended")
