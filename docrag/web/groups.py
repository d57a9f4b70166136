"""``/api/groups``: roles that members of an identity provider's groups get; for administrators."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import Schema, fields

from docrag.access.oidc import issuer_key
from docrag.api import StoreError, StoreUnavailable, UnknownName
from docrag.store.records import Group
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import require_admin
from docrag.web.errors import INVALID, NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.text import printable

blueprint = keyed("groups", "/api/groups", "Groups of identity providers and their roles")
blueprint.before_request(limit_body)


class GroupSchema(Schema):
    """A group and the roles of its members."""

    #: An OpenID Connect issuer, ``open-webui`` or ``ldap``.
    issuer = fields.String(required=True)
    group = fields.String(required=True)
    roles = fields.List(fields.String(), required=True)


class GroupNameSchema(Schema):
    """Which group."""

    issuer = fields.String(required=True)
    group = fields.String(required=True)


class GroupListSchema(Schema):
    """Groups by issuer and identifier."""

    groups = fields.List(fields.Nested(GroupSchema))


@blueprint.route("")
@blueprint.response(200, GroupListSchema)
def list_groups() -> dict[str, Any]:
    """List the groups that give roles. For administrators."""
    require_admin()
    return {"groups": [_shown(group) for group in service().assistant.store.groups.list()]}


@blueprint.route("", methods=["PUT"])
@blueprint.arguments(GroupSchema)
@blueprint.response(200, GroupSchema)
def set_group(body: dict[str, Any]) -> dict[str, Any]:
    """Give the members of a group exactly these roles, never admin. For administrators."""
    require_admin()
    issuer = issuer_key(printable(body["issuer"], "issuer"))
    group = printable(body["group"], "group")
    roles = [printable(role, "roles") for role in body["roles"]]
    try:
        return _shown(service().assistant.store.groups.set(issuer, group, roles))
    except StoreUnavailable:
        raise
    except StoreError as exc:
        raise RequestRefused(INVALID, str(exc), param="roles") from exc


@blueprint.route("", methods=["DELETE"])
@blueprint.arguments(GroupNameSchema, location="query")
@blueprint.response(204)
def delete_group(query: dict[str, Any]) -> Response:
    """Have a group give nothing from now on. For administrators."""
    require_admin()
    try:
        service().assistant.store.groups.delete(
            issuer_key(printable(query["issuer"], "issuer")),
            printable(query["group"], "group"),
        )
    except UnknownName as exc:
        raise RequestRefused(NOT_FOUND, str(exc), param="group") from exc
    return Response(status=204)


def _shown(group: Group) -> dict[str, Any]:
    return {"issuer": group.issuer, "group": group.group_id, "roles": list(group.roles)}
