"""Cross-origin rules for ``/v1``: browsers of allowed origins may call it, errors included."""

from __future__ import annotations

from typing import Final

from flask import Response, request

from docrag.web.extensions import service

#: Methods that a browser may use.
METHODS: Final = "GET, POST, OPTIONS"
#: Headers that a browser may send, when it does not ask for others.
HEADERS: Final = "Authorization, Content-Type, Accept, User-Agent, X-Requested-With, OpenAI-Beta"
#: Headers of an answer that a page may read.
EXPOSED: Final = "x-request-id, x-docrag-retrieval, Retry-After"
#: Seconds that a browser may remember the answer.
REMEMBERED: Final = "600"


def preflight() -> Response | None:
    """The answer to an OPTIONS request, which never carries a key; ``None`` for other methods."""
    if request.method != "OPTIONS" or not _concerned():
        return None
    # No Allow: it would have to list the methods of just this path.
    return Response(status=204)


def allow(response: Response) -> Response:
    """Add what an allowed origin needs to read any answer, an error as well."""
    origin = request.headers.get("Origin")
    allowed = service().settings.cors_origins
    if not _concerned() or not allowed:
        return response
    response.vary.add("Origin")
    if origin is None or not (origin in allowed or "*" in allowed):
        return response
    asked = request.headers.get("Access-Control-Request-Headers", HEADERS)
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = METHODS
        response.headers["Access-Control-Allow-Headers"] = asked
        response.headers["Access-Control-Max-Age"] = REMEMBERED
    return response


def _concerned() -> bool:
    return request.path == "/v1" or request.path.startswith("/v1/")
