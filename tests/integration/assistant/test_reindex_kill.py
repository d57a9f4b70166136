"""``kill -9`` in the middle of a re-embedding: the end is the same; `make eval-kill` does more."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docrag.assistant import Assistant
from docrag.store.records import Space

from .conftest import Opener
from .test_reindex import NEXT, answers, fill, work

#: Fills the space that comes.
CHILD = """
from docrag.assistant import Assistant

with Assistant.open() as assistant:
    print("open", flush=True)
    while assistant.work_once():
        pass
"""
TEXTS = [
    " ".join(
        f"Madde {n}.{m}: izin, yangın ve bordro kuralı {n * m} sayılı ektedir." for m in range(16)
    )
    for n in range(1, 8)
]


@contextmanager
def child(assistant: Assistant, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The program in a process of its own, on the same database; killed in the end."""
    env = {
        **os.environ,
        "DATABASE_URL": assistant.settings.database_url,
        "DOCRAG_INSTANCE": str(folder),
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_NEXT_EMBEDDER": "hashing",
        "DOCRAG_NEXT_EMBEDDER_OPTIONS": '{"dim": 48}',
        "DOCRAG_EMBED_BATCH": "1",
    }
    program = [sys.executable, "-c", CHILD]
    with subprocess.Popen(program, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(line: str, process: subprocess.Popen[str]) -> None:
    """Read what the child says until it says this."""
    assert process.stdout is not None
    assert any(said.strip() == line for said in process.stdout)


def kill_while_filling(assistant: Assistant, space: Space, folder: Path) -> None:
    """End a process by ``kill -9`` that has begun to fill a space, and has not ended."""
    with child(assistant, folder) as process:
        wait_for("open", process)
        while not (seen := assistant.store.switches.progress(space)).chunks:
            time.sleep(0.01)
        process.kill()
        process.wait()
    left = assistant.store.switches.progress(space)
    assert left.missing > 0
    assert left.chunks >= seen.chunks


def undisturbed(assistant: Assistant) -> dict[str, Any]:
    """What is found after all is embedded once more, from nothing, by the same plan."""
    assistant.reindex.switch(assistant.reindex.before())
    assistant.reindex.drop()
    again = assistant.reindex.start()
    work(assistant)
    assistant.reindex.switch(again)
    return answers(assistant)


def test_end_is_the_same_after_a_kill(open_assistant: Opener, tmp_path: Path) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant, TEXTS)
    before = answers(assistant)
    space = assistant.reindex.start()
    kill_while_filling(assistant, space, tmp_path)
    assert answers(assistant) == before
    work(assistant)
    assistant.reindex.switch(space)
    assert answers(assistant) == undisturbed(assistant)
