"""One's own account: a new password."""

from __future__ import annotations

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from docrag.access.passwords import hash_password
from docrag.api import storable
from docrag.web.extensions import service
from docrag.web.pages import session
from docrag.web.pages.blueprint import own_pages
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import password_rule, too_many
from docrag.web.signin import SignInBraked, SignInFailed, by_password

blueprint = own_pages("account")


@blueprint.get("/password")
def form() -> Response:
    """The form for a new password."""
    return _form(200)


@blueprint.post("/password")
def change() -> Response | BaseResponse:
    """Set a new password, which ends every other session of the account."""
    store, name = service().assistant.store, session.principal().user.username
    old, fresh, again = (
        storable(request.form.get(field, "")) for field in ("password", "fresh", "again")
    )
    try:
        by_password(store, name, old, address=request.remote_addr or "")
    except SignInBraked as exc:
        return _form(429, too_many(exc.seconds))
    except SignInFailed:
        return _form(400, _("The present password is wrong."))
    if fresh != again:
        return _form(400, _("The two new passwords are not the same."))
    try:
        hashed = hash_password(fresh)
    except ValueError:
        return _form(400, _("A password has %(rule)s.", rule=password_rule()))
    store.users.set_password(name, hashed)
    session.begin(name)
    flash(_("The password is changed. Other sessions have ended."))
    return redirect(url_for("shelf.index"), 303)


def _form(status: int, problem: str = "") -> Response:
    text = render_template("password.html", problem=problem, rule=password_rule())
    return make_response(text, status)
