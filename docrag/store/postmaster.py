"""The main process of a cluster's server, as its pid file and the process table tell."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from docrag.api import StoreUnavailable
from docrag.store.filelock import POLL

logger = logging.getLogger(__name__)

#: Lines of postmaster.pid (PostgreSQL, src/include/utils/pidfile.h), counted from 0.
PID_LINE, PORT_LINE = 0, 3

#: Seconds for a fast shutdown, then for an immediate one.
STOP_TIMEOUT, KILL_TIMEOUT = 30.0, 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Postmaster:
    """What postmaster.pid says; the process may be long gone and its pid somebody else's.

    :param pid: process id.
    :param port: TCP port; None while the server has not written it yet.
    :param data: folder of the cluster that the file was found in.
    """

    pid: int
    port: int | None
    data: Path

    def alive(self) -> bool:
        """Whether the process runs and is the server of this very cluster.

        A zombie is dead, whether or not anybody reaps it. A stranger with a recycled pid is
        told by its command line, which always names the folder of the cluster.
        """
        state, folder = _process(self.pid)
        if state in ("", "Z", "X") or not folder:
            return False
        return os.path.realpath(folder) == os.path.realpath(self.data)

    def signal(self, number: int) -> None:
        """Send a signal, if the process is still there and still ours."""
        if self.alive():
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return


def read_postmaster(data: Path) -> Postmaster | None:
    """Read postmaster.pid.

    :param data: folder of the cluster.
    :returns: its content; None when there is no file, or not yet a whole first line.
    :raises OSError: the file cannot be read.
    """
    try:
        lines = (data / "postmaster.pid").read_text(errors="replace").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not lines or not lines[PID_LINE].strip().isdigit():
        return None
    port = lines[PORT_LINE].strip() if len(lines) > PORT_LINE else ""
    return Postmaster(
        pid=int(lines[PID_LINE]), port=int(port) if port.isdigit() else None, data=data
    )


def stop_server(data: Path) -> None:
    """Stop the server of a cluster, rolling back what is open; nothing when it does not run.

    :param data: folder of the cluster; the caller holds the exclusive lock.
    :raises StoreUnavailable: it is still there after an immediate shutdown.
    """
    postmaster = read_postmaster(data)
    if postmaster is None or not postmaster.alive():
        return
    for number, seconds in ((signal.SIGINT, STOP_TIMEOUT), (signal.SIGQUIT, KILL_TIMEOUT)):
        postmaster.signal(number)
        deadline = time.monotonic() + seconds
        while postmaster.alive() and time.monotonic() < deadline:
            time.sleep(POLL)
        if not postmaster.alive():
            logger.info("embedded server stopped", extra={"action": "embedded.stop"})
            return
    raise StoreUnavailable(f"the embedded server (pid {postmaster.pid}) does not stop")


def _process(pid: int) -> tuple[str, str]:
    # State letter of a process ("" when there is none) and its argument after -D ("" without).
    proc = Path("/proc") / str(pid)
    if not Path("/proc/self/stat").exists():
        return _process_by_ps(pid)
    try:
        state = (proc / "stat").read_bytes().rpartition(b")")[2].split()[0].decode()
        command = (proc / "cmdline").read_bytes().split(b"\0")
    except (OSError, IndexError):
        return "", ""
    place = command.index(b"-D") + 1 if b"-D" in command else len(command)
    return state, os.fsdecode(command[place]) if place < len(command) else ""


def _process_by_ps(pid: int) -> tuple[str, str]:
    # Systems without /proc (macOS); ps joins the arguments with blanks, so cut at our own options.
    done = subprocess.run(  # noqa: S603 - fixed program, number as argument
        ["/bin/ps", "-o", "stat=,command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    state, _, command = done.stdout.strip().partition(" ")
    return state[:1], command.partition(" -D ")[2].partition(" -c ")[0]
