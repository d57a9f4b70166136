"""The program that forks a reader for each file, so that a start costs no imports.

Run as ``python -m docrag.loaders.forkserver CONTROL`` by `docrag.loaders.forks` with a clean
environment; ``CONTROL`` is the descriptor of a socket. A request is a JSON object with three
descriptors: the reader's input, its output, and where its exit code is written. Each file is still
read by a process of its own, which knows nothing of any other file. Ends with its parent.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import socket
import sys
from types import FrameType
from typing import Any

from docrag.loaders.child import main as read

#: Bytes of a request; it holds the reader's name, limits and options.
MOST_REQUEST = 65_536
#: Descriptors of a request.
DESCRIPTORS = 3


class Forks:
    """Running readers and where their exit codes are written. For one thread."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._reports: dict[int, int] = {}

    def serve(self) -> None:
        """Answer requests until the parent is gone; then end every reader."""
        signal.signal(signal.SIGCHLD, self._reap)
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._control, MOST_REQUEST, DESCRIPTORS)
            if not data:
                break
            request = json.loads(data)
            if "kill" in request:
                self._kill(request["kill"])
            else:
                self._start(request["arguments"], *descriptors)
        for pid in list(self._reports):
            self._kill(pid)

    def _start(self, arguments: list[str], source: int, target: int, report: int) -> None:
        _preload(arguments[0])
        # A reader that ends at once must be in the table before it is looked for there.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if pid == 0:
            self._become_reader(arguments, source, target, report)
        self._reports[pid] = report
        os.close(source)
        os.close(target)
        self._control.send(b"%d\n" % pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})

    def _become_reader(self, arguments: list[str], source: int, target: int, report: int) -> None:
        """Read one file in the new process, with its own descriptors and nothing else, and end."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        code = 1
        try:
            os.dup2(source, 0)
            os.dup2(target, 1)
            for descriptor in {source, target, report, *self._reports.values()}:
                os.close(descriptor)
            self._control.close()
            read(arguments)
            code = 0
        finally:
            os._exit(code)  # what the server holds must not be closed down by a copy of it

    def _reap(self, _: int, __: FrameType | None) -> None:
        """Write down the exit codes of readers that ended."""
        while self._reports:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            report = self._reports.pop(pid)
            with contextlib.suppress(BrokenPipeError):  # nobody asks any more
                os.write(report, b"%d\n" % os.waitstatus_to_exitcode(status))
            os.close(report)

    def _kill(self, pid: int) -> None:
        # Not yet reaped as long as it is in the table, so the number is still its own.
        if pid in self._reports:
            os.kill(pid, signal.SIGKILL)


def _preload(name: str) -> None:
    """Import a reader's module once for all files; the reader itself says what is wrong with it."""
    with contextlib.suppress(ImportError):
        importlib.import_module(name.partition(":")[0])


def main(arguments: list[Any]) -> None:
    """Serve on the socket of this descriptor."""
    Forks(socket.socket(fileno=int(arguments[0]))).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
