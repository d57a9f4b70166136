"""TCP ports of this machine's loopback address."""

from __future__ import annotations

import socket

#: The only address that the embedded server listens on.
HOST = "127.0.0.1"


def port_is_free(port: int) -> bool:
    """Whether nobody listens on a TCP port of 127.0.0.1 just now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
