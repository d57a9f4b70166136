"""The trace of a request: its identifier, and one line in the log."""

from __future__ import annotations

import logging
import re
import time
import uuid
from typing import Final
from urllib.parse import quote

from flask import Response, g, request

logger = logging.getLogger(__name__)

#: What a front end may bring as identifier of a request; anything else is replaced.
_SANE = re.compile(r"[A-Za-z0-9._:-]{1,128}")
#: Asked every few seconds by whoever watches the process; logged for debugging only.
PROBES: Final = ("/healthz", "/readyz")


def begin() -> None:
    """Give the request its identifier: the caller's own if it is sane."""
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if _SANE.fullmatch(given) else uuid.uuid4().hex
    g.started = time.monotonic()


def finish(response: Response) -> Response:
    """Add the identifier, and log the request when its answer is sent.

    The line has the path without the query string, and nothing of the bodies.
    """
    response.headers["x-request-id"] = g.request_id
    method, path, status = request.method, quote(request.path), response.status_code
    started, request_id = g.started, g.request_id
    level = logging.DEBUG if request.path in PROBES else logging.INFO

    def log() -> None:
        logger.log(
            level,
            "%s %s %d %.3f s request=%s",
            method,
            path,
            status,
            time.monotonic() - started,
            request_id,
            extra={"action": "request", "request_id": request_id},
        )

    response.call_on_close(log)
    return response
