"""``/api/keys``: API keys, shown once when they are made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from flask import Response
from marshmallow import Schema, fields, validate

from docrag.access.frontends import METHODS
from docrag.access.keys import new_key
from docrag.api import AccessDenied
from docrag.store.keys import CITATIONS
from docrag.store.records import ApiKey, Principal
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import principal
from docrag.web.errors import INVALID, NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.text import printable

blueprint = keyed("keys", "/api/keys", "API keys")
blueprint.before_request(limit_body)

#: Longest life of a key that ends, days; ten years.
LONGEST: Final = 3650
#: Kinds of keys; only ``user`` is for everybody.
KINDS: Final = ("user", "frontend", "service")


class NewKeyArgumentsSchema(Schema):
    """A key to make."""

    username = fields.String(load_default=None, allow_none=True)
    name = fields.String(required=True)
    kind = fields.String(load_default="user", validate=validate.OneOf(KINDS))
    #: How a front end names people; for the kind ``frontend`` and only for it.
    method = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(METHODS))
    #: Narrowing of a user's key, fixed roles of a service, upper bound of a front end.
    roles = fields.List(fields.String(), load_default=list)
    #: Never expires if left out.
    expires_in_days = fields.Integer(
        load_default=None, allow_none=True, validate=validate.Range(1, LONGEST)
    )
    #: How its answers show their sources.
    citations = fields.String(load_default="auto", validate=validate.OneOf(CITATIONS))


class KeyChangesSchema(Schema):
    """What of a key can be changed."""

    citations = fields.String(required=True, validate=validate.OneOf(CITATIONS))


class KeySchema(Schema):
    """A key without its secret."""

    id = fields.Integer()
    username = fields.String()
    name = fields.String()
    prefix = fields.String()
    kind = fields.String()
    method = fields.String(allow_none=True)
    roles = fields.List(fields.String())
    citations = fields.String()
    created_at = fields.String()
    expires_at = fields.String(allow_none=True)
    last_used_at = fields.String(allow_none=True)


class NewKeySchema(KeySchema):
    """A fresh key; the only time that it is shown."""

    key = fields.String()


class KeyListSchema(Schema):
    """API keys."""

    keys = fields.List(fields.Nested(KeySchema))


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewKeyArgumentsSchema)
@blueprint.response(201, NewKeySchema)
def create_key(body: dict[str, Any]) -> dict[str, Any]:
    """Make a key, for oneself; an administrator for anyone and of any kind."""
    caller = _person()
    own = caller.user.username
    username = own if body["username"] is None else printable(body["username"], "username")
    if not caller.access.is_admin and (username != own or body["kind"] != "user"):
        raise AccessDenied(
            "only an administrator may make a key for somebody else, or for a program"
        )
    _check_kind(body)
    days, fresh = body["expires_in_days"], new_key()
    stored = service().assistant.store.keys.create(
        username=username,
        name=printable(body["name"], "name"),
        key_hash=fresh.digest,
        prefix=fresh.prefix,
        expires_at=None if days is None else datetime.now(UTC) + timedelta(days=days),
        kind=body["kind"],
        method=body["method"],
        roles=_roles(caller, [printable(role, "roles") for role in body["roles"]]),
        citations=body["citations"],
    )
    return {**_shown(stored), "key": fresh.secret}


@blueprint.route("")
@blueprint.response(200, KeyListSchema)
def list_keys() -> dict[str, Any]:
    """List one's own keys; an administrator sees all."""
    return {"keys": [_shown(key) for key in _visible(_person())]}


@blueprint.route("/<int:key_id>", methods=["PATCH"])
@blueprint.arguments(KeyChangesSchema)
@blueprint.response(200, KeySchema)
def change_key(body: dict[str, Any], key_id: int) -> dict[str, Any]:
    """Show the sources of a key's answers in another way; somebody else's is not found."""
    key = _found(key_id)
    service().assistant.store.keys.set_citations(key_id, body["citations"])
    return {**_shown(key), "citations": body["citations"]}


@blueprint.route("/<int:key_id>", methods=["DELETE"])
@blueprint.response(204)
def delete_key(key_id: int) -> Response:
    """Revoke a key at once; somebody else's is not found, but for an administrator."""
    _found(key_id)
    service().assistant.store.keys.revoke(key_id)
    return Response(status=204)


def _person() -> Principal:
    """The caller, who speaks for themselves.

    :raises AccessDenied: a front end, or a service: its owner's keys are not its own. A service
        with the role admin manages as an administrator does.
    """
    caller = principal()
    if caller.kind == "frontend" or (caller.kind == "service" and not caller.access.is_admin):
        raise AccessDenied(f"a {caller.kind} key may not look after keys; use one of your own")
    return caller


def _check_kind(body: dict[str, Any]) -> None:
    """:raises RequestRefused: kind, method and roles do not go together."""
    kind, method = body["kind"], body["method"]
    if (kind == "frontend") != (method is not None):
        raise RequestRefused(
            INVALID,
            f"A key of kind frontend, and only such a one, has a method: {', '.join(METHODS)}.",
            param="method",
        )
    if kind == "service" and not body["roles"]:
        raise RequestRefused(INVALID, "A key of kind service needs a role.", param="roles")


def _roles(caller: Principal, asked: list[str]) -> list[str]:
    """Roles of the new key: those asked for, and never more than the caller's credential opens.

    :raises AccessDenied: a role that the caller does not have.
    """
    roles = list(dict.fromkeys(asked))
    if caller.access.is_admin:
        return roles
    beyond = sorted(set(roles) - caller.access.roles)
    if beyond:
        raise AccessDenied(f"you do not have the role {beyond[0]!r}, so your key cannot have it")
    narrowed = not caller.access.roles >= frozenset(caller.user.roles)
    if narrowed and not roles and not caller.access.roles:
        raise AccessDenied("this key opens nothing, so it can make none")
    return roles or (sorted(caller.access.roles) if narrowed else [])


def _found(key_id: int) -> ApiKey:
    """A key that the caller may look after.

    :raises RequestRefused: there is none, or it is somebody else's and they no administrator.
    """
    keys = {key.id: key for key in _visible(_person())}
    if key_id not in keys:
        raise RequestRefused(NOT_FOUND, f"There is no API key {key_id}.")
    return keys[key_id]


def _visible(caller: Principal) -> list[ApiKey]:
    username = None if caller.access.is_admin else caller.user.username
    keys: list[ApiKey] = service().assistant.store.keys.list(username)
    return keys


def _shown(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "username": key.username,
        "name": key.name,
        "prefix": key.prefix,
        "kind": key.kind,
        "method": key.method,
        "roles": list(key.roles),
        "citations": key.citations,
        "created_at": key.created_at.isoformat(),
        "expires_at": key.expires_at.isoformat() if key.expires_at else None,
        "last_used_at": key.last_used_at.isoformat() if key.last_used_at else None,
    }
