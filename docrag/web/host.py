"""The host that a request names, which ends up in the addresses of citations."""

from __future__ import annotations

import re
from typing import Final

from flask import request

from docrag.web.errors import INVALID, RequestRefused

#: A name or address with an optional port (RFC 9110, section 7.2); names of containers have ``_``.
_HOST: Final = re.compile(r"(?:[A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{0,5}))?")
#: Highest port of TCP.
_PORTS: Final = 65_535


def check() -> None:
    """Refuse a request whose ``Host`` is none; a hook for ``before_request``.

    :raises RequestRefused: the header is there but names no host.
    """
    given = request.environ.get("HTTP_HOST")
    if given is None:  # HTTP/1.0: the server's own address is used
        return
    found = _HOST.fullmatch(given)
    if found is None or int(found[1] or 0) > _PORTS:
        raise RequestRefused(INVALID, "The Host header must name a host, and a port if need be.")
