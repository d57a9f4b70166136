"""The listening address of ``docrag serve``: taken early, checked, and asked whether it answers."""

from __future__ import annotations

import http.client
import socket
from contextlib import ExitStack
from typing import Final

from docrag.api import SettingsError

#: Seconds that one question to our own server may take.
_TIMEOUT: Final = 5.0
#: Addresses that mean "every interface", and the one of this machine to ask instead.
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - read, not bound


def bind(host: str, port: int) -> socket.socket:
    """A listening socket that nobody answers yet, so that a taken port is known before any work.

    It listens, since two sockets may be bound to one port as long as neither does.

    :raises SettingsError: the port is in use, or the address is none of this machine's.
    """
    with ExitStack() as failing:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            sock = failing.enter_context(socket.socket(family, kind, protocol))
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(address)
            sock.listen()
        except OSError as exc:
            raise SettingsError(
                f"cannot listen on {host} port {port}: {exc.strerror or exc}; "
                "stop what uses it, or set PORT or DOCRAG_HOST"
            ) from exc
        failing.pop_all()
        return sock


def reachable(host: str) -> str:
    """The address under which this machine itself reaches a listener."""
    return _EVERYWHERE.get(host, host)


def url(host: str, port: int) -> str:
    """The address that a person on this machine opens."""
    name = reachable(host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def answers(host: str, port: int, path: str) -> bool:
    """True if the server answers this path with status 200."""
    connection = http.client.HTTPConnection(reachable(host), port, timeout=_TIMEOUT)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
