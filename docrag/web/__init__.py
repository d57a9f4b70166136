"""The Flask app: OpenAI's chat API, an API for documents, users and keys, and pages."""

from __future__ import annotations

import atexit
import os
import time
from typing import Any

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from docrag.api import storable
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store import Engine
from docrag.store.engine import engine_options, fork_safe, normalise_url
from docrag.web import (
    cors,
    docs,
    drain,
    errors,
    gate,
    host,
    hygiene,
    identity,
    limits,
    logs,
    trace,
)
from docrag.web.documents import MIB
from docrag.web.extensions import KEY, Service, db, login_manager
from docrag.web.openai import turns
from docrag.web.pages import site
from docrag.web.slashes import Slashes


class Json(DefaultJSONProvider):
    """JSON with keys in our order and letters as they are."""

    sort_keys = False
    ensure_ascii = False

    def dumps(self, obj: Any, **kwargs: Any) -> str:  # noqa: ANN401 - as in Flask
        """The text of an object, which UTF-8 can hold."""
        return storable(super().dumps(obj, **kwargs))


def create_app(settings: Settings | None = None, *, assistant: Assistant | None = None) -> Flask:
    """A ready app; the database is connected, models load on first use.

    :param settings: read from environment and file if ``None``.
    :param assistant: used as it is, with its settings, instead of a new one; who made it closes it.
    :raises SettingsError: a setting is wrong.
    :raises StoreError: the database cannot be reached or is not migrated.
    """
    chosen = assistant.settings if assistant else settings or Settings.load()
    logs.configure(chosen.log_level)
    app = Flask("docrag.web", static_folder=None, instance_path=str(chosen.instance.resolve()))
    app.json = Json(app)
    app.config.update(
        SECRET_KEY=chosen.secret_key or None,
        # The multipart frame and the other fields need a little more than the file.
        MAX_CONTENT_LENGTH=(chosen.upload_limit + 1) * MIB,
    )
    app.url_map.merge_slashes = False
    # Setattr, since a replaced wsgi_app is how Flask itself documents middleware.
    app.wsgi_app = Slashes(app.wsgi_app)  # type: ignore[method-assign] # see above
    hygiene.guard(app, chosen)
    login_manager.init_app(app, add_context_processor=False)
    engine = None if assistant else _engine(app, chosen)
    app.extensions[KEY] = Service(
        assistant=assistant or _open(chosen, engine),
        settings=chosen,
        started=int(time.time()),
        engine=engine,
    )
    identity.install(app, chosen)
    _hook(app)
    docs.describe(app)
    gate.install(app, chosen)
    limits.install(app, chosen, app.extensions[KEY].assistant.store.limits)
    site.install(app, chosen)
    errors.install(app)
    return app


def _hook(app: Flask) -> None:
    """What happens around each request; functions after it run in reverse order."""
    app.before_request(trace.begin)
    app.before_request(host.check)
    app.before_request(cors.preflight)
    app.after_request(drain.drain)
    app.after_request(cors.allow)
    app.after_request(hygiene.harden)
    app.after_request(trace.finish)
    app.teardown_request(drain.release)
    app.teardown_request(turns.abandon)


def _engine(app: Flask, settings: Settings) -> Engine:
    """The one engine of the process, which Flask-SQLAlchemy makes."""
    app.config["SQLALCHEMY_DATABASE_URI"] = normalise_url(Assistant.database_url(settings))
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        **engine_options(),
        "pool_size": settings.pool_size,
    }
    db.init_app(app)
    with app.app_context():
        return fork_safe(db.engine)


def _open(settings: Settings, engine: Engine | None) -> Assistant:
    """An assistant that is closed when the process ends."""
    assistant = Assistant.open(settings, engine=engine)
    maker = os.getpid()

    def close() -> None:
        # A forked child shares the assistant but did not open it.
        if os.getpid() == maker:
            assistant.close()

    atexit.register(close)
    return assistant
