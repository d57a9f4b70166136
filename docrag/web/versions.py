"""Fields of a form that say which document an upload is a version of, and when it is in force."""

from __future__ import annotations

from datetime import date

from flask import request

from docrag.api import storable
from docrag.days import day
from docrag.store.records import NewVersion
from docrag.web.errors import INVALID, RequestRefused


def version() -> NewVersion:
    """What the fields ``replaces``, ``valid_from`` and ``valid_to`` of this request say.

    :raises RequestRefused: a day that is none.
    """
    return NewVersion(
        replaces=storable(request.form.get("replaces", "")).strip(),
        valid_from=given_day("valid_from"),
        valid_to=given_day("valid_to"),
    )


def given_day(field: str) -> date | None:
    """A day of the form, ``None`` for an empty or missing field.

    :raises RequestRefused: it is no day.
    """
    given = storable(request.form.get(field, "")).strip()
    try:
        return day(given) if given else None
    except ValueError as exc:
        raise RequestRefused(INVALID, f"{field}: {exc}.", param=field) from exc
