"""Paths as clients misspell them: doubled slashes and one at the end mean nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_DOUBLED = re.compile("//+")


class Slashes:
    """A WSGI application whose paths are tidied first; a redirect would lose a POST."""

    def __init__(self, app: WSGIApplication) -> None:
        """Wrap an application."""
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request under its tidied path."""
        environ["PATH_INFO"] = tidy(environ.get("PATH_INFO", ""))
        return self._app(environ, start_response)


def tidy(path: str) -> str:
    """The path with single slashes and none at the end, but for the root."""
    single = _DOUBLED.sub("/", path)
    return single.rstrip("/") or "/"
