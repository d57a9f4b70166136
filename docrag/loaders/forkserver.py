"""The program that forks a reader for each file, so that a start costs no imports.

Run as ``python -m docrag.loaders.forkserver CONTROL`` by `docrag.loaders.forks` with a clean
environment; ``CONTROL`` is the descriptor of a socket. A request is a JSON object with three
descriptors: the reader's input, its output, and where its exit code is written. It has a number, by
which the reader may be killed; nothing is answered. Each file is still read by a process of its
own, which knows nothing of any other file; when no file is read, the next process waits already, so
that a file need not wait for a fork. Ends with its parent.

A reader that a hostile file has taken over leaves nothing behind: what it started becomes a child
of the server when the reader ends, and is killed.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from docrag.loaders.child import hide, prctl
from docrag.loaders.child import main as read

#: Bytes of a request; it holds the reader's name, limits and options.
MOST_REQUEST = 65_536
#: Descriptors of a request, and those of them that a reader gets.
DESCRIPTORS, READERS = 3, 2
#: prctl(2): what is orphaned below this process becomes a child of it.
_PR_SET_CHILD_SUBREAPER = 36
#: Most processes that are waited for at the end; who has started more than that starts them faster
#: than they are killed, and the parent must not wait for ever.
_MOST_ENDS = 1000


class Forks:
    """Running readers and where their exit codes are written. For one thread."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._reports: dict[int, int] = {}
        #: Numbers of the requests whose readers run, by process.
        self._requests: dict[int, int] = {}
        self._modules: set[str] = set()
        #: A process that has no file yet, and the socket on which it waits for one.
        self._waiting: tuple[int, socket.socket] | None = None

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
                self._start(request, *descriptors)
        with _held():
            self._end_all()

    def _start(self, request: dict[str, Any], source: int, target: int, report: int) -> None:
        """Give a file to the process that waits, or to a new one where that lacks its reader."""
        with _held():
            if self._preload(request["arguments"][0]) and self._waiting:
                self._waiting[1].close()
                self._waiting = None
            pid, way = self._waiting or self._fork(source, target, report)
            self._waiting = None
            self._reports[pid], self._requests[pid] = report, request["number"]
            message = json.dumps(request["arguments"]).encode()
            with way, contextlib.suppress(OSError):  # it was killed: its exit code will tell
                socket.send_fds(way, [message], [source, target])
            os.close(source)
            os.close(target)

    def _fork(self, *foreign: int) -> tuple[int, socket.socket]:
        """A process that waits for a file, and the socket on which it does.

        :param foreign: descriptors that it must not have.
        """
        way, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            way.close()
            self._become_reader(its, [*self._reports.values(), *foreign])
        its.close()
        return pid, way

    def _become_reader(self, way: socket.socket, foreign: list[int]) -> NoReturn:
        """Read one file in the new process, with its own descriptors and nothing else, and end."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        code = 1
        try:
            self._control.close()
            for descriptor in foreign:
                os.close(descriptor)
            arguments, descriptors, _, _ = socket.recv_fds(way, MOST_REQUEST, READERS)
            way.close()
            if arguments:
                for standard, descriptor in enumerate(descriptors):
                    os.dup2(descriptor, standard)
                    os.close(descriptor)
                read(json.loads(arguments))
            code = 0
        finally:
            os._exit(code)  # what the server holds must not be closed down by a copy of it

    def _reap(self, _: int, __: FrameType | None) -> None:
        """Write down the exit codes of readers that ended, and have one wait behind the last."""
        before = len(self._reports)
        with contextlib.suppress(ChildProcessError):  # there is none any more
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._clear()  # before anybody is told that it ended, and sends the next file
                self._end(*ended)
        # Not beside readers at work, whose memory counts; nor behind one that ended without a file.
        if before and not self._reports and not self._waiting:
            with _held():
                self._waiting = self._fork()

    def _end(self, pid: int, status: int) -> None:
        if self._waiting and self._waiting[0] == pid:
            self._waiting[1].close()
            self._waiting = None
        report = self._reports.pop(pid, None)
        if report is None:  # it never had a file
            return
        del self._requests[pid]
        with contextlib.suppress(BrokenPipeError):  # nobody asks any more
            os.write(report, b"%d\n" % os.waitstatus_to_exitcode(status))
        os.close(report)

    def _clear(self) -> None:
        """Kill what readers have started and left: every child that is not a reader of ours."""
        with _held():  # nothing is reaped, so a number is still that of the child
            known = {*self._reports, *([self._waiting[0]] if self._waiting else [])}
            for pid in children() - known:
                os.kill(pid, signal.SIGKILL)

    def _end_all(self) -> None:
        """Kill every reader and what they have started, until nothing is left."""
        with contextlib.suppress(ChildProcessError):  # there is none any more
            for _ in range(_MOST_ENDS):
                for pid in children():
                    os.kill(pid, signal.SIGKILL)
                self._end(*os.waitpid(-1, 0))

    def _preload(self, name: str) -> bool:
        """Import a reader's module once for all files; its reader says what is wrong with it.

        A module may have a function ``prepare`` for what is done once for all files, too.

        :returns: whether it was not there before.
        """
        module = name.partition(":")[0]
        if module in self._modules:
            return False
        self._modules.add(module)
        with contextlib.suppress(Exception):  # whatever it is, the reader will meet it again
            getattr(importlib.import_module(module), "prepare", bool)()
        return True

    def _kill(self, number: int) -> None:
        with _held():  # not yet reaped as long as it is in the table, so the process is still it
            for pid, request in self._requests.items():
                if request == number:
                    os.kill(pid, signal.SIGKILL)


def children() -> set[int]:
    """Numbers of the processes below this one that were not waited for; it must run on Linux."""
    try:
        lists = [Path(f"/proc/self/task/{task}/children") for task in os.listdir("/proc/self/task")]
        return {int(pid) for each in lists for pid in each.read_bytes().split()}
    except (FileNotFoundError, ProcessLookupError):  # a kernel without them
        stats = Path("/proc").glob("[0-9]*/stat")
        return {int(stat.parent.name) for stat in stats if _parent(stat) == os.getpid()}


def _parent(stat: Path) -> int:
    """Whose child a process is; 0 if it is gone. A program's name may hold blanks and brackets."""
    try:
        return int(stat.read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return 0


@contextlib.contextmanager
def _held() -> Iterator[None]:
    """Nothing that ends is reaped within: it must be in the table before it is looked for there."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        yield
    finally:  # as it was: the call above may reap, which holds within what is held
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def main(arguments: list[Any]) -> None:
    """Serve on the socket of this descriptor, out of reach of what it serves."""
    hide()
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    Forks(socket.socket(fileno=int(arguments[0]))).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
