"""``/api/roles``: the roles that documents allow and users have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Response
from marshmallow import Schema, fields

from docrag.access.names import new_role_name
from docrag.api import ADMIN_ROLE, StoreError, UnknownName
from docrag.store.names import checked_role_name
from docrag.store.roles import Roles
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import principal, require_admin
from docrag.web.errors import INVALID, NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.text import printable

blueprint = keyed("roles", "/api/roles", "Roles of people and documents")
blueprint.before_request(limit_body)


class NewRoleSchema(Schema):
    """A role to make."""

    name = fields.String(required=True)


class RoleSchema(Schema):
    """A role."""

    name = fields.String()
    retired = fields.Boolean()


class RoleListSchema(Schema):
    """Roles, sorted by name."""

    roles = fields.List(fields.Nested(RoleSchema))


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewRoleSchema)
@blueprint.response(201, RoleSchema)
def create_role(body: dict[str, Any]) -> dict[str, Any]:
    """Make a role. For administrators."""
    require_admin()
    role = service().assistant.store.roles.create(_name(body["name"]))
    return {"name": role.name, "retired": role.retired}


@blueprint.route("")
@blueprint.response(200, RoleListSchema)
def list_roles() -> dict[str, Any]:
    """List the caller's own roles; all of them for an administrator."""
    access = principal().access
    found = service().assistant.store.roles.list()
    shown = [role for role in found if access.is_admin or role.name in access.roles]
    return {"roles": [{"name": role.name, "retired": role.retired} for role in shown]}


@blueprint.route("/<name>", methods=["PATCH"])
@blueprint.arguments(NewRoleSchema)
@blueprint.response(200, RoleSchema)
def rename_role(body: dict[str, Any], name: str) -> dict[str, Any]:
    """Rename a role, on every user, document and key. For administrators."""
    require_admin()
    with _existing(name) as roles:
        role = roles.rename(name, _name(body["name"]))
    return {"name": role.name, "retired": role.retired}


@blueprint.route("/<name>", methods=["DELETE"])
@blueprint.response(204)
def retire_role(name: str) -> Response:
    """Retire a role: it opens nothing any more and cannot be given. For administrators."""
    require_admin()
    with _existing(name) as roles:
        roles.retire(name)
    return Response(status=204)


@contextmanager
def _existing(name: str) -> Iterator[Roles]:
    """The roles, for a change of one.

    :raises RequestRefused: there is no such role (404), or it is the admin role (400).
    """
    if name == ADMIN_ROLE:
        raise RequestRefused(INVALID, f"The role {ADMIN_ROLE!r} stays as it is.", param="name")
    try:
        yield service().assistant.store.roles
    except UnknownName as exc:
        raise RequestRefused(NOT_FOUND, f"There is no role {name!r}.") from exc


def _name(text: str) -> str:
    try:
        return checked_role_name(new_role_name(printable(text, "name")))
    except StoreError as exc:
        raise RequestRefused(INVALID, str(exc), param="name") from exc
