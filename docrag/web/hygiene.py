"""Hygiene of every answer: headers, cookies, and how much of a proxy is believed."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from flask import Flask, Response, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from docrag.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a browser may do with an answer."""

    #: Content Security Policy.
    content: str
    referrer: str = "no-referrer"


#: Answers for programs: a browser that shows one loads nothing.
API: Final = Policy(content="default-src 'none'; frame-ancestors 'none'")
#: Swagger UI writes style attributes, and draws its icons from data addresses.
DOCS: Final = Policy(
    content=(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
)
#: Pages for people: one stylesheet, pictures and forms of this server, and no script at all.
PAGES: Final = Policy(
    content=(
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    referrer="same-origin",
)
#: Seconds that browsers remember to come over HTTPS only; a year, as usual.
HSTS: Final = "max-age=31536000"


def follow(policy: Policy) -> Callable[[], None]:
    """A hook for ``before_request`` that gives the answers of a blueprint another policy."""

    def choose() -> None:
        g.policy = policy

    return choose


def harden(response: Response) -> Response:
    """Add the headers of the request's policy; a hook for ``after_request``."""
    policy: Policy = g.get("policy", API)
    headers = {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": policy.referrer,
        "Content-Security-Policy": policy.content,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
    if policy is not DOCS:
        headers["Cache-Control"] = "no-store"
    if request.is_secure:
        headers["Strict-Transport-Security"] = HSTS
    for name, value in headers.items():
        response.headers.setdefault(name, value)
    return response


def guard(app: Flask, settings: Settings) -> None:
    """Set the cookies of an app, and believe its proxies as far as the operator says."""
    secure = cookies_are_secure(settings)
    app.config.update(
        # Browsers take a cookie of this prefix from this very host and over HTTPS only.
        SESSION_COOKIE_NAME="__Host-docrag" if secure else "docrag",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(hours=settings.session_hours),
    )
    if hops := settings.proxy_hops:
        # Setattr, since a replaced wsgi_app is how Flask itself documents middleware.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign] # see above
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops
        )


def cookies_are_secure(settings: Settings) -> bool:
    """True if cookies travel over HTTPS only.

    ``auto`` is no only for a server on loopback that nobody reaches over HTTPS.
    """
    if settings.secure_cookies != "auto":
        return settings.secure_cookies == "yes"
    return settings.public_url.startswith("https://") or not is_loopback(settings.host)


def is_loopback(host: str) -> bool:
    """True for ``localhost`` and the loopback addresses, IPv6 as well."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
