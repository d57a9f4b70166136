"""``/api/roles``: the roles that documents allow and users have."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from docrag.api import StoreError
from docrag.store.names import checked_role_name
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import principal, require_admin
from docrag.web.errors import INVALID, RequestRefused
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


def _name(text: str) -> str:
    try:
        return checked_role_name(printable(text, "name"))
    except StoreError as exc:
        raise RequestRefused(INVALID, str(exc), param="name") from exc
