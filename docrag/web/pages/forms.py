"""Fields of forms as values, checked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import request

from docrag.api import storable
from docrag.web.errors import INVALID, RequestRefused
from docrag.web.text import printable

#: Days that a key may live, as forms offer them; 0 for ever.
LIVES: Final = (30, 90, 365, 0)


def word(field: str) -> str:
    """A text that must be there, printable and without blanks around it.

    :raises RequestRefused: it is not.
    """
    return printable(request.form.get(field, ""), field)


def optional(field: str) -> str | None:
    """A text without blanks around it, ``None`` for an empty field."""
    return storable(request.form.get(field, "")).strip() or None


def ticked(field: str) -> list[str]:
    """The values of ticked boxes, each once, in order, as they came: names are never mended."""
    return list(dict.fromkeys(request.form.getlist(field)))


def showing() -> str:
    """How the answers of a key show their sources, ``auto`` for an empty field; not checked."""
    return request.form.get("citations", "") or "auto"


def expiry() -> datetime | None:
    """The moment at which a key ends, ``None`` for never.

    :raises RequestRefused: a life that no form offers.
    """
    given = request.form.get("days", "")
    if given not in map(str, LIVES):
        raise RequestRefused(INVALID, "days: choose one that the form offers.", param="days")
    return datetime.now(UTC) + timedelta(days=int(given)) if int(given) else None
