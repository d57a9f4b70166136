"""The stage: one migrated database and the apps on it, from the words to a fake model."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from flask import Flask
from sqlalchemy import Engine, text

from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store import Store, make_engine
from docrag.testing.oidc import FakeIssuer
from docrag.testing.ollama import FakeOllama
from docrag.web import create_app

SECRET_KEY: Final = "leak-matrix " * 4
FRONTEND_SECRET: Final = "front end of the leak matrix " * 2
#: Each app by name: retriever, model backend, and permitted chunks up to which search is exact.
APPS: Final = {
    "dense exact, quotes": ("dense", "none", 25_000),
    "dense hnsw, model": ("dense", "ollama", 0),
    "lexical, quotes": ("lexical", "none", 25_000),
    "lexical, model": ("lexical", "ollama", 25_000),
}
#: What one example leaves behind; embedding spaces stay, since pipelines keep them.
EMPTY: Final = text(
    """
    TRUNCATE documents, users, group_roles, login_throttle, terms CASCADE;
    DELETE FROM roles WHERE name <> 'admin'
    """
)


class Log(logging.Handler):
    """Everything that is logged at the default level, as an operator's file would hold it."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message, the extra values and the traceback of a record."""
        plain = logging.LogRecord("", 0, "", 0, "", (), None).__dict__
        extra = {name: value for name, value in record.__dict__.items() if name not in plain}
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        self.lines.append(f"{record.name} {record.getMessage()} {extra} {trace}")


@dataclass
class Stage:
    """What every example is played on."""

    engine: Engine
    apps: dict[str, Flask]
    assistant: Assistant
    ollama: FakeOllama
    issuer: FakeIssuer
    log: Log = field(default_factory=Log)
    #: Every canary that was ever made here, so that those of earlier examples are known as well.
    known: set[str] = field(default_factory=set)

    @property
    def store(self) -> Store:
        """The store that all apps share but for the threshold of the exact search."""
        return self.assistant.store

    @property
    def app(self) -> Flask:
        """The app for everything that no retriever or model touches."""
        return next(iter(self.apps.values()))

    def sql(self, statement: str, **values: object) -> None:
        """Run a statement as the owner."""
        with self.engine.begin() as connection:
            connection.execute(text(statement), values)

    def empty(self) -> None:
        """Forget the last example."""
        with self.engine.begin() as connection:
            connection.execute(EMPTY)


@contextmanager
def stage(database_url: str, folder: Path) -> Iterator[Stage]:
    """A stage on a migrated database; the root logger is listened to as long as it stands."""
    engine = make_engine(database_url)
    with FakeOllama() as ollama, FakeIssuer() as issuer:
        made = {
            name: _assistant(engine, _settings(folder, retriever, llm, ollama, issuer), threshold)
            for name, (retriever, llm, threshold) in APPS.items()
        }
        apps = {name: _app(assistant) for name, assistant in made.items()}
        ready = Stage(
            engine=engine,
            apps=apps,
            assistant=next(iter(made.values())),
            ollama=ollama,
            issuer=issuer,
        )
        root, level = logging.getLogger(), logging.getLogger().level
        root.addHandler(ready.log)
        root.setLevel(logging.INFO)
        try:
            yield ready
        finally:
            root.removeHandler(ready.log)
            root.setLevel(level)
            engine.dispose()


def _settings(
    folder: Path, retriever: str, llm: str, ollama: FakeOllama, issuer: FakeIssuer
) -> Settings:
    options: dict[str, Any] = {"url": ollama.url} if llm == "ollama" else {}
    return Settings(
        instance=folder,
        secret_key=SECRET_KEY,
        frontend_secret=FRONTEND_SECRET,
        oidc_issuer=issuer.url,
        oidc_client_id=issuer.client_id,
        oidc_client_secret=issuer.client_secret,
        embedder="hashing",
        retriever=retriever,
        llm=llm,
        llm_options=options,
        chunk_size=200,
        chunk_overlap=20,
        secure_cookies="no",
        rate_per_minute=0,
        quota_per_day=0,
    )


def _assistant(engine: Engine, settings: Settings, threshold: int) -> Assistant:
    return Assistant(settings, store=Store(engine, exact_threshold=threshold))


def _app(assistant: Assistant) -> Flask:
    app = create_app(assistant=assistant)
    # A form without its token would be refused before anybody asks who sent it.
    app.config["WTF_CSRF_METHODS"] = []
    return app
