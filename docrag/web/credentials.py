"""Who calls: the one reader of ``Authorization: Bearer`` for ``/v1`` and ``/api``."""

from __future__ import annotations

from flask import g, request

from docrag.access.keys import bearer, digest
from docrag.api import AccessDenied
from docrag.store.records import Principal
from docrag.web.errors import UNAUTHENTICATED, RequestRefused
from docrag.web.extensions import service


def authenticate() -> None:
    """Find the caller by the key of the request and keep it for the view.

    :raises RequestRefused: no key, a malformed one, or one that names nobody; the message is
        the same for each key that is wrong.
    """
    header = request.headers.get("Authorization")
    if not header:
        raise RequestRefused(
            UNAUTHENTICATED, "No API key given; send the header 'Authorization: Bearer <key>'."
        )
    secret = bearer(header)
    found = service().assistant.store.keys.principal(digest(secret)) if secret else None
    if found is None:
        raise RequestRefused(
            UNAUTHENTICATED,
            "The API key is wrong, expired or revoked.",
            headers={"WWW-Authenticate": 'Bearer realm="docrag", error="invalid_token"'},
        )
    g.principal = found


def principal() -> Principal:
    """The caller of this request, found by :func:`authenticate`."""
    found: Principal = g.principal
    return found


def require_admin() -> Principal:
    """The caller, who is an administrator.

    :raises AccessDenied: anybody else.
    """
    caller = principal()
    if not caller.access.is_admin:
        raise AccessDenied("only an administrator may do this")
    return caller
