"""Who calls: the one reader of ``Authorization: Bearer`` for ``/v1`` and ``/api``."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from flask import g, request

from docrag.access import claims, frontends, tokens
from docrag.access.assertion import Assertion
from docrag.access.keys import bearer, digest, is_key
from docrag.access.oidc import Issuer
from docrag.api import AccessDenied
from docrag.store import Store
from docrag.store.records import Principal
from docrag.web.errors import FORBIDDEN, UNAUTHENTICATED, RequestRefused
from docrag.web.extensions import service
from docrag.web.identity import issuer

logger = logging.getLogger(__name__)

#: Blueprints that tell the same to everybody, so that a front end asks them in nobody's name.
NAMELESS: Final = ("models",)
#: Blueprints in which a front end passes on what the person says whom it names.
VOICED: Final = ("feedback",)
#: Methods that change nothing; elsewhere on ``/api`` a front end has no others.
READING: Final = ("GET", "HEAD", "OPTIONS")


def authenticate() -> None:
    """Find the caller by the credential of the request and keep it for the view.

    An API key, a token of ``POST /auth/token``, or an access token of the configured issuer. A
    front end's key names a person besides. Cookies are never looked at.

    :raises RequestRefused: no credential, or one that names nobody (401, one message for each
        that is wrong); a front end that names nobody, or somebody unknown (403).
    """
    header = request.headers.get("Authorization")
    if not header:
        raise RequestRefused(
            UNAUTHENTICATED, "No API key given; send the header 'Authorization: Bearer <key>'."
        )
    secret = bearer(header)
    found = _caller(service().assistant.store, secret) if secret else None
    if found is None:
        raise RequestRefused(
            UNAUTHENTICATED,
            "The API key or token is wrong, expired or revoked.",
            headers={"WWW-Authenticate": 'Bearer realm="docrag", error="invalid_token"'},
        )
    g.principal = found


def principal() -> Principal:
    """The caller of this request, found by :func:`authenticate`."""
    found: Principal = g.principal
    return found


def require_admin() -> Principal:
    """The caller, who is an administrator.

    :raises AccessDenied: anybody else, and an administrator whom a front end names: what stands
        in a header never manages anything.
    """
    caller = principal()
    if not caller.access.is_admin or caller.kind == "frontend":
        raise AccessDenied("only an administrator may do this, with a key of their own")
    return caller


def _caller(store: Store, secret: str) -> Principal | None:
    """Whom a credential stands for; ``None`` if it is wrong."""
    if is_key(secret):
        return _by_key(store, digest(secret))
    if not claims.looks_signed(secret):
        return None
    try:
        # What the token says of its algorithm only chooses who checks it.
        own = claims.algorithm(secret) == tokens.ALGORITHM
        return _by_token(store, secret) if own else _by_issuer(store, secret)
    except claims.BadToken as exc:
        logger.info("refused a token: %s", exc, extra={"action": "token_refused"})
        return None


def _by_token(store: Store, token: str) -> Principal | None:
    """The user of a token of ours, with the roles of this moment.

    :raises BadToken: it is wrong.
    """
    secret = service().settings.secret_key
    if not secret:
        return None
    said = tokens.verify(token, secret=secret)
    stored = store.users.password_hash(said.username)
    if stored is None or tokens.stamp_of(stored, secret=secret) != said.stamp:
        return None  # the user is gone or inactive, or has another password since
    found = store.keys.as_user(said.username)
    return replace(found, kind="token") if found else None


def _by_issuer(store: Store, token: str) -> Principal | None:
    """The user whom an access token of the issuer names; ``None`` where there is no issuer.

    :raises BadToken: it is wrong.
    :raises AccessDenied: it is right, but the person has no account here.
    :raises IssuerUnavailable: it cannot be checked just now.
    """
    trusted = issuer()
    if trusted is None:
        return None
    return store.keys.vouched(trusted.verify(token))


def _by_key(store: Store, key_hash: bytes) -> Principal | None:
    """The caller with a key, or whom a front end names with its own."""
    told = _told()
    if told is None:
        found, named = store.keys.principal(key_hash), None
    else:
        # In one statement. A key that is no front end's has nothing to do with those headers.
        found, named = store.keys.speaking(key_hash, told[1]) or (None, None)
    if found is None or found.kind != "frontend" or request.blueprint in NAMELESS:
        return found
    changes = request.path.startswith("/api/") and request.method not in READING
    if changes and request.blueprint not in VOICED:
        raise AccessDenied("a front end's key changes nothing; use a key of your own")
    if named is not None and told is not None and told[0] == found.method:
        return named
    return _named(store, found)


def _told() -> tuple[str, Assertion] | None:
    """Whom the headers name before the key is known, and by which method; ``None`` if unclear.

    Nothing is fetched for it, and nothing refused: whether it counts, the key says.
    """
    method = "jwt" if frontends.SIGNED in request.headers else "headers"
    if not any(name in request.headers for name in (frontends.SIGNED, *frontends.PLAIN)):
        return None
    try:
        return method, _assertion(method)
    except frontends.BadAssertion:
        return None


def _named(store: Store, key: Principal) -> Principal:
    """The person whom a front end names, as its key says that it must.

    :raises RequestRefused: nobody, somebody unknown, or in another way (403).
    """
    try:
        return store.keys.acting(key, _assertion(key.method))
    except frontends.BadAssertion as exc:
        raise RequestRefused(FORBIDDEN, str(exc), code="bad_user_assertion") from exc


def _assertion(method: str | None) -> Assertion:
    """Whom the headers name, by the method of the key.

    :raises BadAssertion: nobody, or in another way.
    """
    if method == "headers":
        return frontends.plain(request.headers)
    if method == "jwt":
        return frontends.signed(request.headers, secret=service().settings.frontend_secret)
    return _forwarded(issuer())


def _forwarded(trusted: Issuer | None) -> Assertion:
    """:raises BadAssertion: no token, a wrong one, or no issuer to check it."""
    token = frontends.forwarded(request.headers)
    if trusted is None:
        raise frontends.BadAssertion("OpenID Connect is not set up here: set DOCRAG_OIDC_ISSUER")
    try:
        return trusted.verify(token)
    except claims.BadToken as exc:
        raise frontends.BadAssertion(f"{frontends.FORWARDED}: {exc}") from None
