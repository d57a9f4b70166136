"""What the web server answers to requests that never reach the app: JSON, like the app's errors."""

from __future__ import annotations

import json
import socket

from gunicorn import util


def install() -> None:
    """Let gunicorn answer with OpenAI's error object instead of a page of its own."""
    # Gunicorn has no setting for it; its workers look this function up on each error.
    util.write_error = write_error


def write_error(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:
    """Send an error and say that the connection ends.

    :param mesg: gunicorn's own words, left out because they quote the request.
    """
    kind = "server_error" if status_int >= 500 else "invalid_request_error"
    error = {"message": f"{reason}.", "type": kind, "param": None, "code": None}
    body = json.dumps({"error": error}).encode()
    head = (
        f"HTTP/1.1 {status_int} {reason}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    util.write_nonblock(sock, head.encode("latin-1") + body)
