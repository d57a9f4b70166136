"""One measured reading of PDF files, in a process of its own.

``python -m eval.ingest_run WHAT URL FOLDER OUT.json FILE…`` writes the seconds of each stage that
is timed, without start, imports and the making of an empty database, and the number of pages.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import psycopg
import pypdf
import pypdfium2

from docrag.api import DocumentError, indexed
from docrag.assistant import Assistant
from docrag.components import Components, embedder_of
from docrag.database import connect
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store.migrate import upgrade

#: Role of the documents that are made.
ROLE: Final = "admin"
_TEXTS: Final = """
    SELECT d.title, c.section, c.text FROM chunks c JOIN documents d ON d.id = c.document_id
    ORDER BY c.document_id, c.ordinal
"""
_SPENT: Final = """
    SELECT extract(epoch FROM max(j.finished_at) - min(j.started_at)), sum(d.n_pages)
    FROM ingest_jobs j JOIN documents d ON d.id = j.document_id
    WHERE d.state IN ('ready', 'ready_with_warnings')
"""


def main(what: str, url: str, folder: str, out: str, *names: str) -> None:
    """Measure one thing and write it down."""
    logging.disable(logging.ERROR)
    settings = Settings.load(
        instance=Path(folder),
        database_url=url,
        secret_key="0" * 64,
        embedder="e5" if what == "e5" else "hashing",
        ocr="none",
        samples=False,
    )
    upgrade(url)
    result = TIMED[what](settings, [Path(name) for name in names])
    Path(out).write_text(json.dumps(result), encoding="utf-8")


def _pypdf(_: Settings, files: Sequence[Path]) -> dict[str, float]:
    """The library alone: text of all pages."""
    started, pages = time.perf_counter(), 0
    for file in files:
        for page in pypdf.PdfReader(file).pages:
            page.extract_text()
            pages += 1
    return {"load": time.perf_counter() - started, "pages": pages}


def _pypdfium2(_: Settings, files: Sequence[Path]) -> dict[str, float]:
    """The library alone: text of all pages."""
    started, pages = time.perf_counter(), 0
    for file in files:
        document = pypdfium2.PdfDocument(file)
        for page in document:
            page.get_textpage().get_text_bounded()
            pages += 1
        document.close()
    return {"load": time.perf_counter() - started, "pages": pages}


def _load(settings: Settings, files: Sequence[Path]) -> dict[str, float]:
    """docrag's loader: child process, quality, repair."""
    database = connect(settings)
    loader = Components(settings, registry=Registry(), store=database.store).loader("pdf")
    # The reader's process is started once and not for each file; like imports, it is not timed.
    least = min(files, key=lambda file: file.stat().st_size)
    loader.load(least.read_bytes(), filename=least.name)
    started, pages = time.perf_counter(), 0
    for file in files:
        pages += len(list(loader.load(file.read_bytes(), filename=file.name)))
    seconds = time.perf_counter() - started
    database.close()
    return {"load": seconds, "pages": pages}


def _whole(settings: Settings, files: Sequence[Path]) -> dict[str, float]:
    """Everything from file to search, as a worker does it."""
    with Assistant.open(settings) as assistant:
        assistant.warm_up()
        started, pages = time.perf_counter(), 0
        for file in files:
            pages += assistant.ingest(file, roles=[ROLE]).pages or 0
        return {"whole": time.perf_counter() - started, "pages": pages}


def _two(settings: Settings, files: Sequence[Path]) -> dict[str, float]:
    """The same by two workers: the upload, then from the first start to the last end of a job."""
    with Assistant.open(settings) as assistant:
        started = time.perf_counter()
        for file in files:
            assistant.upload(file.read_bytes(), filename=file.name, roles=[ROLE])
        uploaded = time.perf_counter() - started
        program = (sys.executable, "-m", "docrag.cli", "worker", "--once", "--processes", "2")
        environment = {
            **os.environ,
            "DOCRAG_INSTANCE": str(settings.instance),
            "DATABASE_URL": settings.database_url,
            "SECRET_KEY": settings.secret_key,
            "DOCRAG_EMBEDDER": settings.embedder,
            "DOCRAG_OCR": settings.ocr,
            "DOCRAG_LOG_LEVEL": "ERROR",
        }
        subprocess.run(program, env=environment, check=True)  # noqa: S603 - our own command
        with psycopg.connect(settings.database_url.replace("+psycopg", "")) as connection:
            ((spent, pages),) = connection.execute(_SPENT).fetchall()
    return {"whole": uploaded + float(spent), "pages": pages}


def _e5(settings: Settings, files: Sequence[Path]) -> dict[str, float]:
    """The same with the bundled model, and then the model alone over the same texts."""
    result = _whole(settings, files)
    url = settings.database_url.replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        texts = [indexed(*row) for row in connection.execute(_TEXTS).fetchall()]
    embedder = embedder_of(settings, Registry())
    if embedder is None:
        raise RuntimeError("no embedder to measure")
    embedder.embed_documents(texts[:1])
    started = time.perf_counter()
    for start in range(0, len(texts), settings.embed_batch):
        embedder.embed_documents(texts[start : start + settings.embed_batch])
    return {**result, "embed": time.perf_counter() - started}


def _any(settings: Settings, files: Sequence[Path]) -> dict[str, float]:
    """Every kind of file, readable or not, for the memory that it takes."""
    with Assistant.open(settings) as assistant:
        started, pages = time.perf_counter(), 0
        for file in files:
            try:
                pages += assistant.ingest(file, roles=[ROLE]).pages or 0
            except DocumentError:
                continue
        return {"whole": time.perf_counter() - started, "pages": pages}


TIMED: Final[dict[str, Callable[[Settings, Sequence[Path]], dict[str, float]]]] = {
    "pypdf": _pypdf,
    "pypdfium2": _pypdfium2,
    "load": _load,
    "whole": _whole,
    "two": _two,
    "e5": _e5,
    "any": _any,
}


if __name__ == "__main__":
    main(*sys.argv[1:])
