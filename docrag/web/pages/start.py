"""The start page, and the files that pages load."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from docrag.web.pages import session
from docrag.web.pages.blueprint import open_pages

blueprint = open_pages("start")
#: Stylesheet and icon; they need no session.
assets = Blueprint("assets", "docrag.web", static_folder="static", static_url_path="/static")


@blueprint.get("/")
def home() -> Response:
    """The documents of who is signed in; the sign-in form for everybody else."""
    return redirect(url_for("shelf.index" if session.current() else "signin.form"))
