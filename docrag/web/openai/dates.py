"""The day whose versions of documents a request asks about."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from flask import request

from docrag.api import Access, storable
from docrag.days import day
from docrag.web.errors import INVALID, RequestRefused
from docrag.web.openai.calls import Call

#: Header that names it, for clients that cannot add a field to the body; the field goes first.
HEADER: Final = "X-Docrag-Date"
#: The header, for the OpenAPI description.
PARAMETER: Final = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "description": (
        "Day whose versions of documents answer, as 2015-04-01; docrag_date in the body goes first."
    ),
    # No format: blanks around the day, and an empty header of a proxy, are taken as well.
    "schema": {"type": "string"},
}


def dated(access: Access, call: Call) -> Access:
    """What the caller may read, of the day that the request names.

    :raises RequestRefused: the header names no day.
    """
    named = request.headers.get(HEADER, "").strip()
    try:
        in_header = day(named) if named else None
    except ValueError as exc:
        message = f"{HEADER}: {storable(str(exc))}."
        raise RequestRefused(INVALID, message, param=HEADER) from exc
    on = call.on or in_header
    return access if on is None else replace(access, on=on)
