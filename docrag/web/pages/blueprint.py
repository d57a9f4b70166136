"""Blueprints of pages: every view signed in and with CSRF unless it says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Flask, redirect, request, url_for
from flask_wtf.csrf import CSRFProtect
from werkzeug.wrappers import Response

from docrag.api import AccessDenied
from docrag.web import hygiene
from docrag.web.errors import Kind, RequestRefused
from docrag.web.extensions import service
from docrag.web.pages import problem, session
from docrag.web.pages.address import here

#: Checks the token of every form of a page; programs send no cookie and need none.
csrf: Final = CSRFProtect()
#: Longest form without a file, bytes.
FORM_LIMIT: Final = 1024 * 1024
#: Pages of a server that has no key to sign sessions with.
NO_SECRET: Final = Kind(status=503, type="server_error", code="no_secret_key")


def install(app: Flask) -> None:
    """Let pages check their forms; nothing else of the app is concerned."""
    app.config.update(
        WTF_CSRF_CHECK_DEFAULT=False,
        # A form lives as long as the session that it belongs to.
        WTF_CSRF_TIME_LIMIT=None,
        # Company proxies strip referrers; the __Host- cookie keeps foreign tokens out.
        WTF_CSRF_SSL_STRICT=False,
    )
    csrf.init_app(app)


def open_pages(name: str, prefix: str = "") -> Blueprint:
    """A blueprint for everybody, signed in or not."""
    return _pages(name, prefix, _check_form)


def own_pages(name: str, prefix: str = "") -> Blueprint:
    """A blueprint for people who are signed in."""
    # The form comes second: who is not signed in has none that could be right.
    return _pages(name, prefix, _signed_in, _check_form)


def admin_pages(name: str, prefix: str, *, files: bool = False) -> Blueprint:
    """A blueprint for administrators.

    :param files: its forms may bring files, up to the limit of uploads.
    """
    check = csrf.protect if files else _check_form
    return _pages(name, prefix, _signed_in, _administrator, check)


def _pages(name: str, prefix: str, *checks: Callable[[], Any]) -> Blueprint:
    blueprint = Blueprint(name, "docrag.web", url_prefix=prefix or None)
    for hook in (hygiene.follow(hygiene.PAGES), _signable, *checks):
        blueprint.before_request(hook)
    blueprint.register_error_handler(Exception, problem.answer)
    return blueprint


def _signable() -> None:
    if not service().settings.secret_key:
        raise RequestRefused(NO_SECRET, "SECRET_KEY is not set, so nobody can sign in.")


def _check_form() -> None:
    request.max_content_length = FORM_LIMIT
    csrf.protect()


def _signed_in() -> Response | None:
    if session.current() is not None:
        return None
    return redirect(url_for("signin.form", next=here()), 303)


def _administrator() -> None:
    if not session.principal().access.is_admin:
        raise AccessDenied("this page is for administrators")
