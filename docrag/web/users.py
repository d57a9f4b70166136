"""``/api/users``: the people who may ask; for administrators."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from docrag.access.names import look_alike, new_username
from docrag.access.oidc import issuer_key
from docrag.access.passwords import hash_password
from docrag.api import ADMIN_ROLE, NameTaken, StoreError, UnknownName, storable
from docrag.store.names import checked_email
from docrag.store.records import User
from docrag.store.users import Users
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import require_admin
from docrag.web.errors import INVALID, NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.text import printable

blueprint = keyed("users", "/api/users", "People who may ask")
blueprint.before_request(limit_body)


class NewUserSchema(Schema):
    """A user to make."""

    username = fields.String(required=True)
    password = fields.String(required=True, load_only=True)
    roles = fields.List(fields.String(), load_default=list)
    email = fields.String(load_default=None, allow_none=True)


class IdentitySchema(Schema):
    """Who a person is at an identity provider or a front end."""

    #: An OpenID Connect issuer, ``open-webui`` or ``ldap``.
    issuer = fields.String(required=True)
    subject = fields.String(required=True)


class UserChangeSchema(Schema):
    """What to change of a user; what is left out stays."""

    roles = fields.List(fields.String())
    active = fields.Boolean()
    email = fields.String(allow_none=True)
    password = fields.String(load_only=True)
    #: An identity that means this user from now on, besides earlier ones.
    identity = fields.Nested(IdentitySchema)


class UserSchema(Schema):
    """A user, without the password."""

    id = fields.Integer()
    username = fields.String()
    roles = fields.List(fields.String())
    active = fields.Boolean()
    email = fields.String(allow_none=True)


class UserListSchema(Schema):
    """All users."""

    users = fields.List(fields.Nested(UserSchema))


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewUserSchema)
@blueprint.response(201, UserSchema)
def create_user(body: dict[str, Any]) -> dict[str, Any]:
    """Make a user with roles that exist. For administrators."""
    require_admin()
    users = service().assistant.store.users
    username = _username(body["username"], users)
    hashed, email = _hash(body["password"]), _email(body["email"])
    roles = [printable(role, "roles") for role in body["roles"]]
    return _shown(users.create(username, password_hash=hashed, roles=roles, email=email))


@blueprint.route("")
@blueprint.response(200, UserListSchema)
def list_users() -> dict[str, Any]:
    """List all users. For administrators."""
    require_admin()
    return {"users": [_shown(user) for user in service().assistant.store.users.list()]}


@blueprint.route("/<username>", methods=["PATCH"])
@blueprint.arguments(UserChangeSchema)
@blueprint.response(200, UserSchema)
def change_user(body: dict[str, Any], username: str) -> dict[str, Any]:
    """Change a user; the next request of theirs goes by it. For administrators."""
    caller = require_admin()
    users = service().assistant.store.users
    try:
        before = users.get(username)
    except UnknownName as exc:
        raise RequestRefused(NOT_FOUND, f"There is no user {username!r}.") from exc
    if before.id == caller.user.id:
        _check_stays_admin(body)
    # Everything is checked before anything is changed; each change is whole by itself.
    changes = {key: _checked(key, value) for key, value in body.items()}
    for key, value in changes.items():
        _change(users, username, key, value)
    return _shown(users.get(username))


def _check_stays_admin(body: dict[str, Any]) -> None:
    """:raises RequestRefused: administrators would lock themselves out, perhaps the last one."""
    if body.get("active") is False:
        raise RequestRefused(INVALID, "Nobody can deactivate themselves.", param="active")
    if "roles" in body and ADMIN_ROLE not in body["roles"]:
        raise RequestRefused(INVALID, "Nobody can take admin from themselves.", param="roles")


def _checked(key: str, value: Any) -> Any:  # noqa: ANN401 - by key
    """A new value as it is stored.

    :raises RequestRefused: it has a wrong form.
    """
    if key == "password":
        return _hash(value)
    if key == "email":
        return _email(value)
    if key == "roles":
        return [printable(role, "roles") for role in value]
    if key == "identity":
        return {name: printable(text, f"identity.{name}") for name, text in value.items()}
    return value


def _change(users: Users, username: str, key: str, value: Any) -> None:  # noqa: ANN401 - by key
    """Write one change."""
    if key == "password":
        users.set_password(username, value)
    elif key == "email":
        users.set_email(username, value)
    elif key == "roles":
        users.set_roles(username, value)
    elif key == "identity":
        users.link(username, issuer_key(value["issuer"]), value["subject"])
    elif value:
        users.activate(username)
    else:
        users.deactivate(username)


def _username(text: str, users: Users) -> str:
    """:raises RequestRefused: a wrong form, or one that looks like somebody else's name."""
    try:
        name = new_username(printable(text, "username"))
    except StoreError as exc:
        raise RequestRefused(INVALID, str(exc), param="username") from exc
    alike = look_alike(name, (user.username for user in users.list()))
    if alike is not None:
        raise NameTaken("user", alike)
    return name


def _email(text: str | None) -> str | None:
    """:raises RequestRefused: it is no mail address."""
    if text is None:
        return None
    try:
        return checked_email(printable(text, "email"))
    except StoreError as exc:
        raise RequestRefused(INVALID, str(exc), param="email") from exc


def _hash(password: str) -> str:
    """:raises RequestRefused: the password is too short or too long."""
    try:
        return hash_password(storable(password))
    except ValueError as exc:
        raise RequestRefused(INVALID, str(exc), param="password") from exc


def _shown(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "username": user.username,
        "roles": list(user.roles),
        "active": user.active,
        "email": user.email,
    }
