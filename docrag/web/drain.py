"""The unread rest of a refused upload, read so that the client sees the answer and no reset."""

from __future__ import annotations

import time
from typing import Any, Final

from flask import Response, request

#: Bytes read at a time.
PIECE: Final = 64 * 1024
#: Most bytes that are read of a body nobody wants; beyond it the connection is cut.
MOST: Final = 512 * 1024 * 1024
#: Seconds after which a slow sender is cut off.
LONGEST: Final = 30.0


def drain(response: Response) -> Response:
    """Read what an error left unread of the request body, within bounds.

    A client that is still sending when the server closes gets a connection reset instead of the
    error object. A hook for ``after_request``.
    """
    if response.status_code >= 400 and _has_body():
        request.max_content_length = request.content_length
        _discard(_unread())
    return response


def release(_: BaseException | None) -> None:
    """Close the temporary files of an upload; a hook for ``teardown_request``."""
    request.close()


def _has_body() -> bool:
    return bool(request.content_length) or _ends_itself()


def _ends_itself() -> bool:
    """True if the server's own stream ends with the body (gunicorn, chunked bodies)."""
    return bool(request.environ.get("wsgi.input_terminated"))


def _unread() -> Any:  # noqa: ANN401 - any readable stream
    """The body from where the view stopped; bounded by its length also on a raw socket."""
    return request.environ["wsgi.input"] if _ends_itself() else request.stream


def _discard(stream: Any) -> None:  # noqa: ANN401 - any readable stream
    end, left = time.monotonic() + LONGEST, MOST
    try:
        while left > 0 and time.monotonic() < end:
            piece = stream.read(PIECE)
            if not piece:
                return
            left -= len(piece)
    except Exception:  # noqa: BLE001 - an answer is ready; nothing about its unread rest matters
        return  # the client left, the stream is closed, or its chunks are broken
