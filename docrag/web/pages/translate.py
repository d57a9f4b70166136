"""Texts in the language of the request, with types: the one border to Flask-Babel's lookup."""

from __future__ import annotations

import flask_babel


def gettext(text: str, **values: object) -> str:
    """The text in the language of this request, with the values filled in."""
    return str(flask_babel.gettext(text, **values))
