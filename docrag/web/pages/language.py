"""The language of a page: the person's choice, else the server's setting."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from flask import Flask, redirect, request, session
from flask_babel import Babel, format_datetime, refresh
from werkzeug.wrappers import Response

from docrag.web.extensions import service
from docrag.web.pages.address import local
from docrag.web.pages.blueprint import open_pages

blueprint = open_pages("language")

#: Languages with a catalogue, each with its own name for itself.
LANGUAGES: Final = {"tr": "Türkçe", "en": "English"}
#: Where a session keeps the choice.
CHOICE: Final = "language"


def install(app: Flask) -> None:
    """Give an app its translations."""
    Babel(app, locale_selector=chosen, default_translation_directories="translations")
    app.jinja_env.filters["moment"] = moment
    app.jinja_env.globals.update(languages=LANGUAGES, language=chosen)


def chosen() -> str:
    """The language of this request, one of :data:`LANGUAGES`."""
    choice = session.get(CHOICE)
    return choice if choice in LANGUAGES else service().settings.language


def keep(asked: str) -> None:
    """Keep what somebody chooses for this request and for those that follow.

    :param asked: what a form brought; another word than those of :data:`LANGUAGES` changes nothing.
    """
    if asked in LANGUAGES:
        session[CHOICE] = asked
        refresh()


def moment(value: datetime) -> str:
    """A moment as people read it, in the time zone of the server."""
    here = value.astimezone()
    return f"{format_datetime(here, 'd MMM y HH:mm', rebase=False)} {here.tzname()}"


@blueprint.post("/language")
def choose() -> Response:
    """Keep the choice and go back to where it was made."""
    keep(request.form.get(CHOICE, ""))
    return redirect(local(request.form.get("next", "")), 303)
