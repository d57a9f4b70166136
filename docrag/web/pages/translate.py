"""Texts and days in the language of the request, with types: the border to Flask-Babel."""

from __future__ import annotations

from datetime import date

import flask_babel


def gettext(text: str, **values: object) -> str:
    """The text in the language of this request, with the values filled in."""
    return str(flask_babel.gettext(text, **values))


def tenths(value: float) -> str:
    """A number with one digit behind the decimal sign."""
    return str(flask_babel.format_decimal(value, "0.0"))


def day(value: date) -> str:
    """A day as people read it."""
    return str(flask_babel.format_date(value))
