"""``/auth/token``: a short-lived token for a user name and a password."""

from __future__ import annotations

from typing import Any, Final

from flask import request
from marshmallow import Schema, fields

from docrag.access import tokens
from docrag.api import storable
from docrag.web.blueprint import Blueprint, limit_body
from docrag.web.errors import STATUSES, Kind, RequestRefused
from docrag.web.extensions import service
from docrag.web.signin import SignInBraked, SignInFailed, by_password

blueprint = Blueprint(
    "auth", __name__, url_prefix="/auth", description="Tokens for user name and password"
)
blueprint.before_request(limit_body)

#: A wrong name or password; without a challenge, since no other credential helps here.
WRONG: Final = Kind(status=401, type="invalid_request_error", code="invalid_credentials")
#: A server without a secret key, which cannot sign.
UNSIGNED: Final = Kind(status=503, type="server_error", code="not_configured")


class PasswordSchema(Schema):
    """User name and password."""

    username = fields.String(required=True)
    password = fields.String(required=True, load_only=True)


class TokenSchema(Schema):
    """A token as OAuth 2.0 writes it (RFC 6749, section 5.1)."""

    access_token = fields.String()
    token_type = fields.String()
    #: Seconds.
    expires_in = fields.Integer()


@blueprint.route("/token", methods=["POST"])
@blueprint.doc(security=[])
@blueprint.arguments(PasswordSchema)
@blueprint.response(200, TokenSchema)
def give_token(body: dict[str, Any]) -> dict[str, Any]:
    """Give a token for the command line and scripts; roles are looked up at each request."""
    settings = service().settings
    if not settings.secret_key:
        raise RequestRefused(UNSIGNED, "This server gives no tokens: it has no SECRET_KEY.")
    name, stored = _signed_in(storable(body["username"]), storable(body["password"]))
    said = tokens.Token(username=name, stamp=tokens.stamp_of(stored, secret=settings.secret_key))
    minutes = settings.token_minutes
    token = tokens.mint(said, secret=settings.secret_key, minutes=minutes)
    return {"access_token": token, "token_type": "Bearer", "expires_in": minutes * 60}


def _signed_in(username: str, password: str) -> tuple[str, str]:
    """:raises RequestRefused: wrong (401), or tried too often (429)."""
    store = service().assistant.store
    try:
        return by_password(store, username, password, address=request.remote_addr or "")
    except SignInFailed as exc:
        raise RequestRefused(WRONG, "User name or password is wrong.") from exc
    except SignInBraked as exc:
        headers = {"Retry-After": str(exc.seconds), "x-should-retry": "false"}
        raise RequestRefused(STATUSES[429], f"{exc}.".capitalize(), headers=headers) from exc
