"""People for administrators: added, given roles, locked out."""

from __future__ import annotations

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from docrag.access.names import new_username
from docrag.access.passwords import hash_password
from docrag.api import ADMIN_ROLE, DocragError, storable
from docrag.web.errors import NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.pages import session
from docrag.web.pages.blueprint import admin_pages
from docrag.web.pages.forms import optional, ticked, word
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe, password_rule

blueprint = admin_pages("admin_users", "/admin/users")


@blueprint.get("")
def index() -> Response:
    """All users, and the form for another."""
    return _index(200)


@blueprint.post("")
def make() -> Response | BaseResponse:
    """Add a user."""
    try:
        hashed = hash_password(storable(request.form.get("password", "")))
    except ValueError:
        return _index(400, _("A password has %(rule)s.", rule=password_rule()))
    try:
        user = service().assistant.store.users.create(
            new_username(word("username")),
            password_hash=hashed,
            roles=ticked("roles"),
            email=optional("email"),
        )
    except (DocragError, RequestRefused) as exc:
        return _index(400, describe(exc))
    flash(_("User “%(name)s” is added.", name=user.username))
    return redirect(url_for("admin_users.index"), 303)


@blueprint.get("/<username>")
def show(username: str) -> Response:
    """One user with roles, keys and state."""
    return _show(username, 200)


@blueprint.post("/<username>")
def change(username: str) -> Response | BaseResponse:
    """Change roles, mail address and state; they count from the user's next request on."""
    _known(username)
    users = service().assistant.store.users
    roles, active = ticked("roles"), bool(request.form.get("active"))
    own = username == session.principal().user.username
    if own and (ADMIN_ROLE not in roles or not active):
        text = _("You cannot take your own administration away; another administrator can.")
        return _show(username, 400, text)
    try:
        users.set_email(username, optional("email"))
        users.set_roles(username, roles)
        (users.activate if active else users.deactivate)(username)
    except DocragError as exc:
        return _show(username, 400, describe(exc))
    flash(_("The changes are saved."))
    return redirect(url_for("admin_users.show", username=username), 303)


@blueprint.post("/<username>/password")
def set_password(username: str) -> Response | BaseResponse:
    """Give a user a new password, which ends their sessions."""
    _known(username)
    try:
        hashed = hash_password(storable(request.form.get("password", "")))
    except ValueError:
        return _show(username, 400, _("A password has %(rule)s.", rule=password_rule()))
    service().assistant.store.users.set_password(username, hashed)
    if username == session.principal().user.username:
        session.begin(username)
    flash(_("The password is changed, and the user's sessions have ended."))
    return redirect(url_for("admin_users.show", username=username), 303)


@blueprint.post("/<username>/keys/<int:key_id>/revoke")
def revoke(username: str, key_id: int) -> BaseResponse:
    """Revoke a key of a user at once."""
    keys = service().assistant.store.keys
    if key_id not in {key.id for key in keys.list(username)}:
        raise RequestRefused(NOT_FOUND, f"There is no API key {key_id}.")
    keys.revoke(key_id)
    flash(_("The key is revoked."))
    return redirect(url_for("admin_users.show", username=username), 303)


def _known(username: str) -> None:
    """:raises RequestRefused: there is no user of this name."""
    if username not in {user.username for user in service().assistant.store.users.list()}:
        raise RequestRefused(NOT_FOUND, "There is no such user.")


def _index(status: int, problem: str = "") -> Response:
    text = render_template(
        "admin/users.html",
        users=service().assistant.store.users.list(),
        roles=usable_roles(),
        rule=password_rule(),
        problem=problem,
    )
    return make_response(text, status)


def _show(username: str, status: int, problem: str = "") -> Response:
    _known(username)
    store = service().assistant.store
    text = render_template(
        "admin/user.html",
        user=store.users.get(username),
        keys=store.keys.list(username),
        roles=usable_roles(),
        rule=password_rule(),
        problem=problem,
    )
    return make_response(text, status)


def usable_roles() -> list[str]:
    """Names of the roles in use, sorted."""
    return [role.name for role in service().assistant.store.roles.list() if not role.retired]
