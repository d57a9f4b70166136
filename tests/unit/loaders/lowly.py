"""What readers may do and others may do to them when nobody is root; a program, not a test module.

Writes a JSON object: the processes whose descriptors another one of the same user may open, and
what a reader says that tries to leave a process behind.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import sys
import time
from pathlib import Path

from docrag.loaders import child, forks, forkserver

#: prctl(2): set for a program that has just been started, taken from one that changes its user.
PR_SET_DUMPABLE = 4
#: What is loaded late otherwise, when an interpreter of root's is out of reach.
LATE = ("array", "readers")
#: The user "nobody" by custom; any that is not root does.
NOBODY = 65_534


def become_nobody() -> None:
    """Give up root's rights, and be as open to others as any program of this user."""
    for name in LATE:
        importlib.import_module(name)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    child.prctl(PR_SET_DUMPABLE, 1)


def serve() -> tuple[int, forks._Server]:
    """A fork server without a start of Python."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        forkserver.main([theirs.detach()])
        os._exit(0)
    theirs.close()
    return pid, forks._Server(ours, None)  # type: ignore[arg-type]  # only closing asks for it


def start(server: forks._Server, reader: str) -> forks.Child:
    return server.start([f"readers:{reader}", str(256 << 20), "20", "{}"])


def readers_of(pid: int) -> list[int]:
    """The first processes of a server; waits for them."""
    lists = Path(f"/proc/{pid}/task/{pid}/children")
    until = time.monotonic() + 5
    while not (found := lists.read_bytes().split()) and time.monotonic() < until:
        time.sleep(0.01)
    return [int(each) for each in found]


def is_open(pid: int) -> bool:
    """Whether the input of another process can be opened."""
    try:
        os.close(os.open(f"/proc/{pid}/fd/0", os.O_RDONLY | os.O_NONBLOCK))
    except PermissionError:
        return False
    return True


def main() -> None:
    """Run a reader to its end, look at the one that waits then, and at one at work."""
    become_nobody()
    pid, server = serve()
    lingering = start(server, "linger")
    assert lingering.stdin
    assert lingering.stdout
    lingering.stdin.close()
    said = json.loads(lingering.stdout.readline())["text"]
    lingering.wait()
    seen = {"server": is_open(pid), "waiting": any(map(is_open, readers_of(pid)))}
    start(server, "sleep")
    seen["reading"] = any(map(is_open, readers_of(pid)))
    sys.stdout.write(json.dumps({"open": [name for name in seen if seen[name]], "left": said}))
    server.control.close()
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
