"""What an app carries: the database engine, the login manager and the assistant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import current_app
from flask_login import LoginManager
from flask_sqlalchemy import SQLAlchemy

from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store import Engine
from docrag.store.tables import Base

#: Makes the one engine of a process; core and web share its metadata.
db: Final = SQLAlchemy(metadata=Base.metadata)
#: Sessions of people on pages; the API knows keys only.
login_manager: Final = LoginManager()
#: Where the service stands in ``app.extensions``.
KEY: Final = "docrag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What the views of one app work with."""

    assistant: Assistant
    settings: Settings
    #: Start of the process, seconds since 1970; the ``created`` of its models.
    started: int
    #: The engine that this app made; ``None`` with an assistant from outside.
    engine: Engine | None = None


def service() -> Service:
    """The service of the app that handles this request."""
    found: Service = current_app.extensions[KEY]
    return found
