"""Reader processes that a fork server starts in milliseconds, where the system can fork."""

from __future__ import annotations

import atexit
import contextlib
import json
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import IO, Protocol

logger = logging.getLogger(__name__)

#: Longest exit code with its line end, bytes.
_NUMBER = 32


class Child(Protocol):
    """A reader process, as :class:`subprocess.Popen` has it."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """Where its file goes in."""
        ...

    @property
    def stdout(self) -> IO[bytes] | None:
        """Where its records come out."""
        ...

    def kill(self) -> None:
        """End it now."""
        ...

    def wait(self) -> int:
        """Its exit code, once it ended; a signal's number as a negative one."""
        ...


def leave(child: Child) -> None:
    """Have no more to do with a reader that was killed or said that it is done; nothing stays.

    The fork server sees its readers out by itself; any other is waited for.
    """
    if isinstance(child, _Forked):
        child.report.close()
    else:
        child.wait()


def start(arguments: Sequence[str], environment: Mapping[str, str]) -> Child:
    """A running reader.

    :param arguments: those of `docrag.loaders.child`.
    :param environment: all that it may know.
    """
    if sys.platform == "linux":  # elsewhere forking is unsafe or sockets have no packets
        try:
            return _server(environment).start(arguments)
        except OSError:  # the server is gone, perhaps killed for its memory
            logger.warning("no fork server", extra={"action": "loader.forks"}, exc_info=True)
            _forget(environment)
    program = [sys.executable, "-P", "-m", "docrag.loaders.child"]
    return subprocess.Popen(  # noqa: S603 - our own program, no shell, no word of the user
        [*program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environment),
    )


@dataclass(slots=True, kw_only=True)
class _Forked:
    """A reader that the server has forked."""

    server: _Server
    number: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    report: IO[bytes]
    code: int | None = None

    def kill(self) -> None:
        if self.code is None:
            self.server.kill(self.number)

    def wait(self) -> int:
        if self.code is None:
            told = self.report.readline(_NUMBER).strip()
            # Nothing is told when the server was killed, and its readers with it.
            self.code = int(told) if told else -9
            self.report.close()
        return self.code


@dataclass(slots=True)
class _Server:
    """A fork server of this process. Thread-safe."""

    control: socket.socket
    process: subprocess.Popen[bytes]
    numbers: Iterator[int] = field(default_factory=count)
    owner: int = field(default_factory=os.getpid)

    def start(self, arguments: Sequence[str]) -> _Forked:
        """:raises OSError: the server is gone."""
        source, into = os.pipe()
        out, target = os.pipe()
        report, told = os.pipe()
        stdin, stdout, code = os.fdopen(into, "wb"), os.fdopen(out, "rb"), os.fdopen(report, "rb")
        try:
            number = next(self.numbers)
            request = json.dumps({"number": number, "arguments": list(arguments)}).encode()
            socket.send_fds(self.control, [request], [source, target, told])
        except OSError:
            for pipe in (stdin, stdout, code):
                pipe.close()
            raise
        finally:
            for descriptor in (source, target, told):
                os.close(descriptor)
        return _Forked(server=self, number=number, stdin=stdin, stdout=stdout, report=code)

    def close(self) -> None:
        """End the server and its readers, if this is the process that started it."""
        self.control.close()
        if self.process.returncode is None and self.owner == os.getpid():
            self.process.wait()

    def kill(self, number: int) -> None:
        with contextlib.suppress(OSError):  # a server that is gone took it along
            self.control.send(json.dumps({"kill": number}).encode())


#: Servers of this process by what their readers may know; a fork of this process has its own.
_servers: dict[tuple[int, frozenset[tuple[str, str]]], _Server] = {}
_lock = threading.Lock()


def _server(environment: Mapping[str, str]) -> _Server:
    key = (os.getpid(), frozenset(environment.items()))
    with _lock:
        server = _servers.get(key)
        if server is None or server.process.poll() is not None:
            if server:
                server.close()
            server = _servers[key] = _launch(environment)
            atexit.register(server.close)
        return server


def _forget(environment: Mapping[str, str]) -> None:
    with _lock:
        server = _servers.pop((os.getpid(), frozenset(environment.items())), None)
    if server and server.process.poll() is not None:  # one at work still has others' readers
        server.close()


def _launch(environment: Mapping[str, str]) -> _Server:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        program = [sys.executable, "-P", "-m", "docrag.loaders.forkserver", str(theirs.fileno())]
        process = subprocess.Popen(  # noqa: S603 - our own program, no shell, no word of the user
            program,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            pass_fds=[theirs.fileno()],
            # Ctrl-C in a terminal is for the parent, whose end is the server's end.
            start_new_session=True,
        )
    return _Server(ours, process)
