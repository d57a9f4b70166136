"""Sign-in at an OpenID Connect provider, when ``DOCRAG_OIDC_ISSUER`` is set."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Final

import requests
from flask import Flask, current_app, make_response, redirect, render_template, request, url_for
from flask import session as cookie
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from docrag.access.assertion import Assertion
from docrag.access.names import email_key
from docrag.access.oidc import DISCOVERY, groups_of
from docrag.api import AccessDenied, SettingsError
from docrag.settings import Settings
from docrag.web.extensions import service
from docrag.web.pages import outsiders, session
from docrag.web.pages.address import local, root
from docrag.web.pages.blueprint import open_pages
from docrag.web.pages.signin import stranger
from docrag.web.pages.translate import gettext as _

logger = logging.getLogger(__name__)

blueprint = open_pages("oidc", "/signin/oidc")

#: Where the client stands in ``app.extensions``; absent without a provider.
CLIENT: Final = "docrag-oidc"
#: Where a session keeps the page to come back to.
NEXT: Final = "oidc-next"
#: What Authlib lets through of answers that are no answers of a provider.
UNREADABLE: Final = (KeyError, ValueError, TypeError, RuntimeError)
#: Seconds that the provider has to answer.
TIMEOUT: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Authlib's client at the provider, and everything that it raises when that fails."""

    remote: Any
    failures: tuple[type[Exception], ...]


def install(app: Flask, settings: Settings) -> None:
    """Give an app its client at the provider; nothing without one. Nothing is fetched yet.

    :raises SettingsError: the extra ``oidc`` is not installed, or the client has no id.
    """
    if not settings.oidc_issuer:
        return
    if not settings.oidc_client_id:
        raise SettingsError("set DOCRAG_OIDC_CLIENT_ID beside DOCRAG_OIDC_ISSUER")
    try:
        # Optional, so imported where it is asked for.
        from authlib.common.errors import AuthlibBaseError
        from authlib.integrations.flask_client import OAuth
        from joserfc.errors import JoseError
    except ImportError as exc:
        raise SettingsError(
            "DOCRAG_OIDC_ISSUER is set but authlib is missing; install docrag[oidc]"
        ) from exc
    client = OAuth(app).register(
        name="oidc",
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret or None,
        server_metadata_url=settings.oidc_issuer.rstrip("/") + DISCOVERY,
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "default_timeout": TIMEOUT,
        },
    )
    failures = (AuthlibBaseError, JoseError, requests.RequestException, *UNREADABLE)
    app.extensions[CLIENT] = Client(remote=client, failures=failures)


@blueprint.get("")
def leave() -> Response:
    """Send the browser to the provider, with state, nonce and a PKCE challenge."""
    client = _client()
    try:
        answer: Response = client.remote.authorize_redirect(f"{root()}{url_for('oidc.back')}")
    except client.failures as exc:
        return _refused(type(exc).__name__)
    cookie[NEXT] = local(request.args.get("next", ""))
    return answer


@blueprint.get("/callback")
def back() -> Response:
    """Take what the provider says of the person, and start a session."""
    client = _client()
    target = local(str(cookie.pop(NEXT, "")))
    if not _is_awaited(client):
        return _refused("a state that this browser was not given", status=400)
    try:
        claims = client.remote.authorize_access_token()["userinfo"]
    except client.failures as exc:
        return _refused(type(exc).__name__)
    who = _assertion(dict(claims))
    wished = str(claims.get("preferred_username") or claims.get("email") or who.subject)
    try:
        user = outsiders.admit(service().assistant.store, who, username=wished)
    except AccessDenied:
        return make_response(render_template("signin.html", problem=stranger(), oidc=True), 403)
    session.begin(user.username)
    return redirect(target, 303)


def _client() -> Client:
    """The client at the provider.

    :raises NotFound: there is no provider.
    """
    found: Client | None = current_app.extensions.get(CLIENT)
    if found is None:
        raise NotFound
    return found


def _is_awaited(client: Client) -> bool:
    """True for an answer with the state that this browser took to the provider (RFC 6749, 10.12).

    Asked before anything else: what nobody waits for is the fault of who sends it, also if it says
    that it is an error of the provider.
    """
    state = request.args.get("state")
    return bool(state) and client.remote.framework.get_state_data(cookie, state) is not None


def _assertion(claims: dict[str, Any]) -> Assertion:
    """What the provider says; a mail address counts only if it vouches for it."""
    settings, email = service().settings, claims.get("email")
    vouched = claims.get("email_verified") in (True, "true") and isinstance(email, str)
    return Assertion(
        issuer=settings.oidc_issuer.rstrip("/"),
        subject=str(claims["sub"]),
        email=email_key(str(email)) if vouched else None,
        groups=groups_of(claims, settings.oidc_groups_claim),
    )


def _refused(reason: str, *, status: int = 502) -> Response:
    """The sign-in form again; the reason goes to the log, without anything of the tokens."""
    logger.warning("OIDC sign-in failed: %s", reason, extra={"action": "oidc_failed"})
    text = _("Signing in at your identity provider did not work. Try again.")
    return make_response(render_template("signin.html", problem=text, oidc=True), status)
