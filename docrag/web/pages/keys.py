"""One's own API keys: made, shown once with what to paste where, and revoked."""

from __future__ import annotations

from flask import Response, flash, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from docrag.access.keys import new_key
from docrag.api import DocragError
from docrag.store.keys import CITATIONS
from docrag.web.errors import NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.pages import session
from docrag.web.pages.address import root
from docrag.web.pages.blueprint import own_pages
from docrag.web.pages.forms import LIVES, expiry, showing, ticked, word
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe

blueprint = own_pages("my_keys", "/keys")


@blueprint.get("")
def index() -> Response:
    """One's own keys, and the form for another."""
    return _index(200)


@blueprint.post("")
def make() -> Response:
    """Make a key and show it, this once."""
    user, fresh = session.principal().user, new_key()
    roles = ticked("roles")
    try:
        if not set(roles) <= set(user.roles):
            raise RequestRefused(NOT_FOUND, "roles: only your own can be chosen.", param="roles")
        key = service().assistant.store.keys.create(
            username=user.username,
            name=word("name"),
            key_hash=fresh.digest,
            prefix=fresh.prefix,
            expires_at=expiry(),
            roles=roles,
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
        back=url_for("my_keys.index"),
    )
    return make_response(text, 201)


@blueprint.post("/<int:key_id>/revoke")
def revoke(key_id: int) -> BaseResponse:
    """Revoke one of one's own keys at once; somebody else's is not found."""
    store, own = service().assistant.store, session.principal().user.username
    if key_id not in {key.id for key in store.keys.list(own)}:
        raise RequestRefused(NOT_FOUND, f"There is no API key {key_id}.")
    store.keys.revoke(key_id)
    flash(_("The key is revoked."))
    return redirect(url_for("my_keys.index"), 303)


def _index(status: int, problem: str = "") -> Response:
    user = session.principal().user
    text = render_template(
        "keys.html",
        keys=service().assistant.store.keys.list(user.username),
        roles=user.roles,
        lives=LIVES,
        showings=CITATIONS,
        problem=problem,
    )
    return make_response(text, status)
