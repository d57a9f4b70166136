"""Keys of front ends and services, for administrators."""

from __future__ import annotations

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from docrag.access.keys import new_key
from docrag.api import DocragError
from docrag.store.keys import CITATIONS, METHODS
from docrag.store.records import ApiKey
from docrag.web.errors import NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.pages import session
from docrag.web.pages.address import root
from docrag.web.pages.admin_users import usable_roles
from docrag.web.pages.blueprint import admin_pages
from docrag.web.pages.forms import LIVES, expiry, showing, ticked, word
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe

blueprint = admin_pages("admin_keys", "/admin/keys")


@blueprint.get("")
def index() -> Response:
    """All keys of front ends and services, and the forms for others."""
    return _index(200)


@blueprint.post("/frontend")
def make_frontend() -> Response:
    """Make the key of a front end that names its users."""
    return _make("frontend", method=request.form.get("method", ""))


@blueprint.post("/service")
def make_service() -> Response:
    """Make the key of a program with roles of its own."""
    return _make("service", method=None)


@blueprint.post("/<int:key_id>/revoke")
def revoke(key_id: int) -> BaseResponse:
    """Revoke such a key at once."""
    if key_id not in {key.id for key in _keys()}:
        raise RequestRefused(NOT_FOUND, f"There is no API key {key_id}.")
    service().assistant.store.keys.revoke(key_id)
    flash(_("The key is revoked."))
    return redirect(url_for("admin_keys.index"), 303)


def _make(kind: str, *, method: str | None) -> Response:
    fresh = new_key()
    try:
        key = service().assistant.store.keys.create(
            username=session.principal().user.username,
            name=word("name"),
            key_hash=fresh.digest,
            prefix=fresh.prefix,
            expires_at=expiry(),
            kind=kind,
            method=method,
            roles=ticked("roles"),
            citations=showing(),
        )
    except (DocragError, RequestRefused) as exc:
        return _index(400, describe(exc))
    text = render_template(
        "key_made.html",
        key=key,
        secret=fresh.secret,
        root=root(),
        model=service().settings.model_name,
        back=url_for("admin_keys.index"),
    )
    return make_response(text, 201)


def _keys() -> list[ApiKey]:
    return [key for key in service().assistant.store.keys.list() if key.kind != "user"]


def _index(status: int, problem: str = "") -> Response:
    text = render_template(
        "admin/keys.html",
        keys=_keys(),
        roles=usable_roles(),
        lives=LIVES,
        showings=CITATIONS,
        methods=METHODS,
        signed=bool(service().settings.frontend_secret),
        oidc=bool(service().settings.oidc_issuer),
        problem=problem,
    )
    return make_response(text, status)
