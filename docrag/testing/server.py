"""A real HTTP server on a free port of this machine, for fakes of model servers."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

#: Seconds between looks for the order to stop; short, because every test waits for it once.
POLL = 0.02

Json: TypeAlias = dict[str, Any]


class Exchange(BaseHTTPRequestHandler):
    """One request and its answer; routes get it as their only argument."""

    protocol_version = "HTTP/1.1"
    #: Parsed JSON of the request; empty for a GET or for something else than an object.
    body: Json
    #: The body as it came, for forms.
    raw: bytes = b""
    fake: FakeServer

    def do_GET(self) -> None:
        """Answer a GET by its route."""
        self.body, self.raw = {}, b""
        self._answer()

    def do_POST(self) -> None:
        """Answer a POST by its route; the request is recorded first."""
        size = int(self.headers.get("Content-Length") or 0)
        self.raw = self.rfile.read(size)
        try:
            body = json.loads(self.raw)
        except ValueError:
            body = None
        self.body = body if isinstance(body, dict) else {}
        if self.path.partition("?")[0] not in self.fake.unrecorded:
            self.fake.requests.append(self.body)
        self._answer()

    def send_json(
        self, body: object, *, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a whole answer."""
        self.send_bytes(json.dumps(body).encode(), status=status, headers=headers)

    def send_bytes(
        self,
        data: bytes,
        *,
        status: int = 200,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send a whole answer as it is."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def start_stream(self, content_type: str) -> None:
        """Send the head of a chunked answer."""
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_piece(self, data: bytes) -> None:
        """Send one chunk of a stream.

        :raises ConnectionError: the client has left, which ``fake.disconnected`` then shows.
        """
        self.wait(0.0)
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def end_stream(self) -> None:
        """Send the end of a chunked answer."""
        self.wfile.write(b"0\r\n\r\n")

    def cut(self) -> None:
        """Close the connection as a dying server does, without the end of the stream."""
        self.close_connection = True

    def wait(self, seconds: float) -> None:
        """Wait, but leave at once when the client does.

        :raises ConnectionError: the client has left.
        """
        end = time.monotonic() + seconds
        readable, _, _ = select.select([self.connection], [], [], max(0.0, seconds))
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ConnectionResetError("the client has left")
        time.sleep(max(0.0, end - time.monotonic()) if readable else 0.0)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - overridden name
        """Say nothing."""

    def _answer(self) -> None:
        route = self.fake.routes.get((self.command, self.path.partition("?")[0]))
        try:
            if route is None:
                self.send_json({"error": f"no route {self.command} {self.path}"}, status=404)
            else:
                route(self)
        except OSError:
            self.close_connection = True
            self.fake.disconnected.set()

    def setup(self) -> None:
        """Take the connection in the list of those that the end of the fake closes."""
        super().setup()
        self.fake.connections.add(self.connection)

    def finish(self) -> None:
        """Take it out again."""
        self.fake.connections.discard(self.connection)
        with suppress(OSError):
            super().finish()


class FakeServer:
    """A fake model server; use it in a ``with`` block. Thread-safe.

    It listens on the loopback address only, answers every request in a thread of its own, and
    writes nothing to standard error.
    """

    def __init__(self) -> None:
        #: Method and path of each route.
        self.routes: Mapping[tuple[str, str], Callable[[Exchange], None]] = {}
        #: Parsed JSON of every POST, in order of arrival.
        self.requests: list[Json] = []
        #: Paths whose POSTs only ask about a model, and are not recorded.
        self.unrecorded: frozenset[str] = frozenset()
        #: Set when a client left before its answer was complete.
        self.disconnected = threading.Event()
        self.connections: set[socket.socket] = set()
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        """Address with scheme and port, without a path.

        :raises RuntimeError: the server is not started.
        """
        if self._server is None:
            raise RuntimeError("use the fake server in a with block")
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Start to listen."""
        handler = type("Handler", (Exchange,), {"fake": self})
        self._server = _QuietServer(("127.0.0.1", 0), handler)
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": POLL}, daemon=True
        ).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and close every connection."""
        if self._server is not None:
            self._server.shutdown()
            for connection in list(self.connections):
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._server.server_close()
            self._server = None


class _QuietServer(ThreadingHTTPServer):
    """A server whose handlers' errors are silent, because a client that leaves is no news."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""
