"""Roles, and the groups of identity providers that give them, for administrators."""

from __future__ import annotations

from flask import Response, flash, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from docrag.access.names import new_role_name
from docrag.api import ADMIN_ROLE, DocragError
from docrag.web.errors import RequestRefused
from docrag.web.extensions import service
from docrag.web.pages.admin_users import usable_roles
from docrag.web.pages.blueprint import admin_pages
from docrag.web.pages.directory import ISSUER
from docrag.web.pages.forms import ticked, word
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe

blueprint = admin_pages("admin_roles", "/admin")


@blueprint.get("/roles")
def index() -> Response:
    """All roles, retired ones too."""
    return _index(200)


@blueprint.post("/roles")
def make() -> Response | BaseResponse:
    """Make a role."""
    try:
        role = service().assistant.store.roles.create(new_role_name(word("name")))
    except (DocragError, RequestRefused) as exc:
        return _index(400, describe(exc))
    flash(_("Role “%(name)s” is made.", name=role.name))
    return redirect(url_for("admin_roles.index"), 303)


@blueprint.post("/roles/rename")
def rename() -> Response | BaseResponse:
    """Give a role another name; its people and documents keep it."""
    try:
        role = service().assistant.store.roles.rename(word("role"), new_role_name(word("name")))
    except (DocragError, RequestRefused) as exc:
        return _index(400, describe(exc))
    flash(_("The role is called “%(name)s” now.", name=role.name))
    return redirect(url_for("admin_roles.index"), 303)


@blueprint.post("/roles/retire")
def retire() -> Response | BaseResponse:
    """Take a role out of use: it opens nothing any more."""
    try:
        service().assistant.store.roles.retire(word("role"))
    except (DocragError, RequestRefused) as exc:
        return _index(400, describe(exc))
    flash(_("The role is retired."))
    return redirect(url_for("admin_roles.index"), 303)


@blueprint.get("/groups")
def groups() -> Response:
    """The groups that give roles."""
    return _groups(200)


@blueprint.post("/groups")
def set_group() -> Response | BaseResponse:
    """Have a group give these roles."""
    try:
        service().assistant.store.groups.set(word("issuer"), word("group"), ticked("roles"))
    except (DocragError, RequestRefused) as exc:
        return _groups(400, describe(exc))
    flash(_("The group is saved."))
    return redirect(url_for("admin_roles.groups"), 303)


@blueprint.post("/groups/delete")
def delete_group() -> Response | BaseResponse:
    """Have a group give nothing any more."""
    try:
        service().assistant.store.groups.delete(word("issuer"), word("group"))
    except (DocragError, RequestRefused) as exc:
        return _groups(400, describe(exc))
    flash(_("The group gives no roles any more."))
    return redirect(url_for("admin_roles.groups"), 303)


def _index(status: int, problem: str = "") -> Response:
    roles = service().assistant.store.roles.list()
    text = render_template("admin/roles.html", roles=roles, fixed=ADMIN_ROLE, problem=problem)
    return make_response(text, status)


def _groups(status: int, problem: str = "") -> Response:
    """The page of groups, with the issuers that this server knows as proposals."""
    issuer = service().settings.oidc_issuer.rstrip("/")
    text = render_template(
        "admin/groups.html",
        groups=service().assistant.store.groups.list(),
        issuers=[name for name in (issuer, ISSUER, "open-webui") if name],
        roles=[role for role in usable_roles() if role != ADMIN_ROLE],
        problem=problem,
    )
    return make_response(text, status)
