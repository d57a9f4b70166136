"""The program that reads one hostile file in a process of its own, under hard limits.

Run as ``python -m docrag.loaders.child READER MEMORY CPU OPTIONS`` by `docrag.loaders.sandbox`: the
file comes on standard input, one JSON object a page goes to standard output. Only the standard
library and the reader's module are imported, so that a start takes a fraction of a second.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Reader = Callable[..., Iterable[dict[str, str]]]

try:
    import resource
except ImportError:  # Windows has no such limits; the parent's time limit still holds
    resource = None  # type: ignore[assignment]  # the one name stands for "not on this system"

#: prctl(2): whether other processes of the user may open this one's memory and descriptors.
_PR_SET_DUMPABLE = 4
#: prctl(2): no program that it becomes has more rights, so that who started it may kill it.
_PR_SET_NO_NEW_PRIVS = 38


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process as Linux numbers it; nothing on another system."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # a C library without it
            ctypes.CDLL(None).prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))


def hide() -> None:
    """Keep this process, and those that it forks, from others of its user and from more rights.

    Root opens what it likes. Nothing on a system other than Linux.
    """
    prctl(_PR_SET_DUMPABLE, 0)
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def limit(memory: int, cpu: int) -> None:
    """Hold this process to so much address space (bytes) and processor time (seconds).

    On Linux it starts no process and no thread either, unless it is root; no reader needs one.
    """
    if resource is None:
        return
    limits = {"RLIMIT_AS": memory, "RLIMIT_CPU": cpu, "RLIMIT_CORE": 0}
    if sys.platform == "linux":
        limits["RLIMIT_NPROC"] = 0
    for name, value in limits.items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, OSError, ValueError):  # macOS knows RLIMIT_AS but refuses it
            continue


def memory() -> int:
    """Most memory (RSS) that this process had, KiB; 0 where the system does not tell."""
    return 0 if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def find(name: str) -> Reader:
    """The reader named ``package.module:function``."""
    module, _, function = name.partition(":")
    reader: Reader = getattr(importlib.import_module(module), function)
    return reader


def records(reader: Reader, source: IO[bytes], options: dict[str, int]) -> Iterable[dict[str, str]]:
    """The reader's pages, then one record with ``end`` or, if it failed, ``error``.

    :param options: those of the reader, and ``size``, the file's bytes, if more than it follows.
    """
    try:
        yield from reader(source.read(options.pop("size", -1)), **options)
    except MemoryError:
        yield {"error": "memory"}
    except Exception as exc:  # noqa: BLE001 - the edge of this process: any failure is reported
        yield {"error": "it could not be read; save it again", "cause": type(exc).__name__}
    else:
        yield {"end": "end"}


def told() -> int:
    """The number that the parent sends behind the file, for which it waits; 1 if it sends none."""
    return int(sys.stdin.buffer.readline() or 1)


def write(out: IO[bytes], lines: Iterable[dict[str, str]]) -> None:
    """Write one JSON object a line and flush each, so that the parent sees the pages come."""
    for line in lines:
        out.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        out.flush()


def main(arguments: list[str]) -> None:
    """Read the file on standard input with the named reader, under the named limits."""
    name, memory, cpu, options = arguments
    hide()
    limit(int(memory), int(cpu))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints must not enter the stream
    reader = find(name)
    write(out, records(reader, sys.stdin.buffer, json.loads(options)))


if __name__ == "__main__":
    main(sys.argv[1:])
