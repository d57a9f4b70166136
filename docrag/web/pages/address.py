"""Addresses: where to go next without leaving this server, and how people reach it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from flask import request, url_for

from docrag.web.extensions import service

#: One slash, then visible ASCII without a backslash, which browsers read as a slash.
_PATH: Final = re.compile(r"/(?!/)[!-\[\]-~]*")


def local(target: str) -> str:
    """The target if it is a path of this server, else the start page.

    :param target: what a form or an address brought; never trusted.
    """
    if len(target) <= LONGEST and _PATH.fullmatch(target) and not urlsplit(target).netloc:
        return target
    return url_for("start.home")


def here() -> str:
    """Path and query of this request, to come back to; the start page for a form."""
    if request.method not in {"GET", "HEAD"}:
        return url_for("start.home")
    return request.full_path if request.query_string else request.path


def root() -> str:
    """Address of this server as people reach it, without a slash at the end."""
    return (service().settings.public_url or request.url_root).rstrip("/")


#: Longest address to come back to, characters; a cookie and a header must hold it.
LONGEST: Final = 1000
