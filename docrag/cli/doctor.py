"""``docrag doctor``: what is missing or broken, before a user notices."""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from docrag.api import (
    DocragError,
    Message,
    PluginError,
    ScoredChunk,
    StoredChunk,
    StoreError,
)
from docrag.assistant import Assistant
from docrag.cli.output import json_option, print_rows, say
from docrag.cli.session import Session, pass_session
from docrag.components import embedder_of, reranker_of
from docrag.database import require_database
from docrag.loaders.ocrprobe import probed
from docrag.modelparts import judge_of, llm_of
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store.embedded import default_data_dir
from docrag.store.engine import make_engine
from docrag.store.migrate import check_current, current
from docrag.store.sessions import database_errors

#: Free disk below which the database may stop in the middle of an upload, bytes (1 GiB).
LEAST_FREE: Final = 1024**3


#: What a reranker is asked to judge.
_PROBE: Final = ScoredChunk(
    chunk=StoredChunk(
        chunk_id=0,
        document_id="",
        title="deneme",
        filename="deneme.txt",
        ordinal=0,
        text="deneme",
        page_first=None,
        page_last=None,
    ),
    score=0.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What one look found."""

    check: str
    ok: bool
    detail: str


@click.command("doctor")
@json_option
@pass_session
def command(session: Session, as_json: bool) -> None:
    """Check settings, plugins, database, models and disk. Exit code 1 when something is wrong."""
    found = list(checks(session))
    rows = [{"check": item.check, "ok": item.ok, "detail": item.detail} for item in found]
    print_rows(rows, as_json=as_json)
    if not all(item.ok for item in found):
        say("docrag: error: something is wrong, see above")
        sys.exit(1)


def checks(session: Session) -> Iterator[Check]:
    """All checks in order; a wrong setting ends them, since nothing else can be looked at."""
    settings_check = _check("settings", lambda: f"instance folder {session.settings.instance}")
    yield settings_check
    if not settings_check.ok:
        return
    settings = session.settings
    registry = Registry(allowed=settings.plugins, choice=settings.plugin_choice)
    yield _check("plugins", lambda: _plugins(registry))
    url: list[str] = []
    yield _check("database", lambda: _database(settings, url))
    if url:
        yield _check("pgvector", lambda: _pgvector(url[0]))
        yield _check("schema", lambda: check_current(url[0]))
    yield _check("embedder", lambda: _embedder(registry, settings))
    yield _check("reranker", lambda: _reranker(registry, settings))
    yield _check("llm", lambda: _llm(registry, settings))
    yield _check("judge", lambda: _judge(registry, settings))
    yield _check("ocr", lambda: probed(settings.ocr, settings.ocr_options))
    yield _check("disk", lambda: _disk(settings.instance))


def _check(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(check=name, ok=True, detail=look())
    except DocragError as exc:
        return Check(check=name, ok=False, detail=str(exc))


def _plugins(registry: Registry) -> str:
    failed = []
    plugins = registry.plugins()
    for plugin in plugins:
        try:
            registry.load(plugin.kind, plugin.name)
        except PluginError as exc:
            failed.append(str(exc))
    if failed:
        raise PluginError("; ".join(failed))
    return f"{len(plugins)} load"


def _database(settings: Settings, url: list[str]) -> str:
    """Reach the database, and leave its address in ``url`` for the checks that need it."""
    require_database(settings)
    address = Assistant.database_url(settings)
    current(address)
    url.append(address)
    if settings.database_url:
        return "DATABASE_URL"
    return f"embedded, in {default_data_dir(settings.instance)}"


def _pgvector(url: str) -> str:
    engine = make_engine(url)
    query = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    try:
        with database_errors(engine), engine.connect() as connection:
            version: str | None = connection.exec_driver_sql(query).scalar()
    finally:
        engine.dispose()
    if version is None:
        raise StoreError("the extension vector is not there; `docrag migrate` creates it")
    return version


def _embedder(registry: Registry, settings: Settings) -> str:
    embedder = embedder_of(settings, registry)
    if embedder is None:
        return "none: search goes by words only"
    embedder.embed_query("deneme")
    return f"{embedder.model_id}, {embedder.dim} dimensions"


def _reranker(registry: Registry, settings: Settings) -> str:
    """Rerank one made-up chunk; a reranker that keeps the order on a failure must tell it here."""
    if "on_error" in inspect.signature(registry.load("rerankers", settings.reranker)).parameters:
        options = {**settings.options("reranker"), "on_error": "fail"}
        settings = replace(settings, reranker_options=options)
    reranker_of(settings, registry).rerank("deneme", [_PROBE])
    return settings.reranker


def _llm(registry: Registry, settings: Settings) -> str:
    llm = llm_of(settings, registry)
    if llm is None:
        return "none: answers quote passages"
    question = [Message(role="user", content="1")]
    stream = llm.stream(question, max_tokens=1, temperature=0.0)
    # The first piece is proof enough; closing the stream stops the model.
    next(iter(stream), None)
    close = getattr(stream, "close", None)
    if callable(close):
        close()
    return llm.model_id


def _judge(registry: Registry, settings: Settings) -> str:
    judge = judge_of(settings, registry, llm_of(settings, registry))
    if judge is None:
        return "none: sentences are checked by their words only"
    told = judge.judge([("Deneme yapılır.", "Deneme yapılır.")])[0]
    return f"{settings.judge}, {'no verdict' if told is None else f'{told:.2f}'} for a repetition"


def _disk(instance: Path) -> str:
    there = next(folder for folder in (instance, *instance.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        raise StoreError(f"{free / 1024**3:.1f} GiB free for the instance folder; at least 1 GiB")
    return f"{free / 1024**3:.0f} GiB free"
