"""``/api/keys``: API keys, shown once when they are made."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import Schema, fields

from docrag.access.keys import new_key
from docrag.api import AccessDenied
from docrag.store.records import ApiKey
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import principal
from docrag.web.errors import NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.text import printable

blueprint = keyed("keys", "/api/keys", "API keys")
blueprint.before_request(limit_body)


class NewKeyArgumentsSchema(Schema):
    """A key to make."""

    username = fields.String(load_default=None, allow_none=True)
    name = fields.String(required=True)


class NewKeySchema(Schema):
    """A fresh key; the only time that it is shown."""

    id = fields.Integer()
    name = fields.String()
    prefix = fields.String()
    key = fields.String()


class KeySchema(Schema):
    """A key without its secret."""

    id = fields.Integer()
    username = fields.String()
    name = fields.String()
    prefix = fields.String()
    created_at = fields.String()
    expires_at = fields.String(allow_none=True)
    last_used_at = fields.String(allow_none=True)


class KeyListSchema(Schema):
    """API keys."""

    keys = fields.List(fields.Nested(KeySchema))


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewKeyArgumentsSchema)
@blueprint.response(201, NewKeySchema)
def create_key(body: dict[str, Any]) -> dict[str, Any]:
    """Make a key, for oneself; an administrator for anyone."""
    caller = principal()
    own = caller.user.username
    username = own if body["username"] is None else printable(body["username"], "username")
    if username != own and not caller.access.is_admin:
        raise AccessDenied("only an administrator may make a key for somebody else")
    name, fresh = printable(body["name"], "name"), new_key()
    stored = service().assistant.store.keys.create(
        username=username, name=name, key_hash=fresh.digest, prefix=fresh.prefix
    )
    return {"id": stored.id, "name": name, "prefix": fresh.prefix, "key": fresh.secret}


@blueprint.route("")
@blueprint.response(200, KeyListSchema)
def list_keys() -> dict[str, Any]:
    """List one's own keys; an administrator sees all."""
    return {"keys": [_shown(key) for key in _visible()]}


@blueprint.route("/<int:key_id>", methods=["DELETE"])
@blueprint.response(204)
def delete_key(key_id: int) -> Response:
    """Revoke a key at once; somebody else's is not found, but for an administrator."""
    if key_id not in {key.id for key in _visible()}:
        raise RequestRefused(NOT_FOUND, f"There is no API key {key_id}.")
    service().assistant.store.keys.revoke(key_id)
    return Response(status=204)


def _visible() -> list[ApiKey]:
    caller = principal()
    username = None if caller.access.is_admin else caller.user.username
    keys: list[ApiKey] = service().assistant.store.keys.list(username)
    return keys


def _shown(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "username": key.username,
        "name": key.name,
        "prefix": key.prefix,
        "created_at": key.created_at.isoformat(),
        "expires_at": key.expires_at.isoformat() if key.expires_at else None,
        "last_used_at": key.last_used_at.isoformat() if key.last_used_at else None,
    }
