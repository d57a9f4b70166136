"""Signing in by password or directory, and signing out."""

from __future__ import annotations

from typing import Final

from flask import (
    Response,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from docrag.access.names import look
from docrag.api import AccessDenied, storable
from docrag.web.extensions import service
from docrag.web.pages import outsiders, session
from docrag.web.pages.address import local
from docrag.web.pages.blueprint import open_pages
from docrag.web.pages.directory import Directory, DirectoryUnavailable
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import too_many
from docrag.web.signin import SignInBraked, SignInFailed, by_password

blueprint = open_pages("signin")

#: Where the directory stands in ``app.extensions``; absent without one.
DIRECTORY: Final = "docrag-directory"


@blueprint.get("/signin")
def form() -> Response | BaseResponse:
    """The sign-in form; who is signed in already goes on."""
    if session.current() is not None:
        return redirect(local(request.args.get("next", "")))
    return _form(200)


@blueprint.post("/signin")
def sign_in() -> Response | BaseResponse:
    """Check the name and the password, and start a session."""
    typed = storable(request.form.get("username", "")).strip()
    try:
        name = _user(typed, storable(request.form.get("password", "")))
    except SignInBraked as exc:
        response = _form(429, too_many(exc.seconds))
        response.headers["Retry-After"] = str(exc.seconds)
        return response
    except SignInFailed:
        return _form(401, _("User name or password is wrong."))
    except DirectoryUnavailable:
        return _form(503, _("The directory cannot be reached just now. Try again."))
    except AccessDenied:
        return _form(403, stranger())
    session.begin(name)
    return redirect(local(request.form.get("next", "")), 303)


@blueprint.post("/signout")
def sign_out() -> BaseResponse:
    """End the session."""
    session.forget()
    flash(_("You are signed out."))
    return redirect(url_for("signin.form"), 303)


def stranger() -> str:
    """What somebody is told whom the provider knows and docrag does not admit."""
    return _("Your account may not use docrag. Ask an administrator to add it.")


def _user(typed: str, password: str) -> str:
    """Name of the user whose password it is, here or in the directory.

    :raises SignInBraked: tried too often.
    :raises SignInFailed: a wrong name or password, in both.
    :raises AccessDenied: the directory says yes, and docrag does not admit the person.
    :raises DirectoryUnavailable: it is not a password of here, and the directory is silent.
    """
    store, address = service().assistant.store, request.remote_addr or ""
    try:
        return by_password(store, typed, password, address=address)[0]
    except SignInFailed:
        directory: Directory | None = current_app.extensions.get(DIRECTORY)
        found = directory.verify(typed, password) if directory else None
        if found is None:
            raise
    store.throttle.succeeded(look(typed), address)
    return outsiders.admit(store, found, username=typed).username


def _form(status: int, problem: str = "") -> Response:
    text = render_template(
        "signin.html",
        problem=problem,
        next=request.values.get("next", ""),
        oidc=bool(service().settings.oidc_issuer),
    )
    return make_response(text, status)
