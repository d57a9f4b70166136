"""``/api/users``: the people who may ask; for administrators."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from docrag.access.passwords import hash_password
from docrag.api import StoreError
from docrag.store.names import checked_username
from docrag.store.records import User
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import require_admin
from docrag.web.errors import INVALID, RequestRefused
from docrag.web.extensions import service
from docrag.web.text import plain, printable

blueprint = keyed("users", "/api/users", "People who may ask")
blueprint.before_request(limit_body)


class NewUserSchema(Schema):
    """A user to make."""

    username = fields.String(required=True)
    password = fields.String(required=True, load_only=True)
    roles = fields.List(fields.String(), load_default=list)


class UserSchema(Schema):
    """A user, without the password."""

    id = fields.Integer()
    username = fields.String()
    roles = fields.List(fields.String())
    active = fields.Boolean()


class UserListSchema(Schema):
    """All users."""

    users = fields.List(fields.Nested(UserSchema))


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewUserSchema)
@blueprint.response(201, UserSchema)
def create_user(body: dict[str, Any]) -> dict[str, Any]:
    """Make a user with roles that exist. For administrators."""
    require_admin()
    username = _username(body["username"])
    try:
        hashed = hash_password(plain(body["password"]))
    except ValueError as exc:
        raise RequestRefused(INVALID, str(exc), param="password") from exc
    roles = [plain(role) for role in body["roles"]]
    users = service().assistant.store.users
    return _shown(users.create(username, password_hash=hashed, roles=roles))


@blueprint.route("")
@blueprint.response(200, UserListSchema)
def list_users() -> dict[str, Any]:
    """List all users. For administrators."""
    require_admin()
    return {"users": [_shown(user) for user in service().assistant.store.users.list()]}


def _username(text: str) -> str:
    try:
        return checked_username(printable(text, "username"))
    except StoreError as exc:
        raise RequestRefused(INVALID, str(exc), param="username") from exc


def _shown(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "username": user.username,
        "roles": list(user.roles),
        "active": user.active,
    }
