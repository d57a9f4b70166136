"""Runs a reader over a file in a child process and gives its pages, or says why it could not."""

from __future__ import annotations

import json
import logging
import math
import os
import subprocess
import sys
import sysconfig
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from docrag.api import LoaderError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

logger = logging.getLogger(__name__)

#: Most that a child may send back, bytes: a law of 240 pages has less than one million.
MAX_OUTPUT = 64 * 1024 * 1024
#: Variables that a Python child needs; all others, secrets among them, stay with the parent.
KEPT_VARIABLES = ("HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR")
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A reader with its limits; safe to use from many threads at once."""

    #: ``package.module:function``; the function takes the bytes and the options, and yields
    #: dictionaries with ``text`` and ``warning``, or one with ``error`` for a refusal.
    reader: str
    #: Seconds from start to end, also the limit of processor time.
    timeout: float
    #: Address space of the child, MiB.
    memory_limit: int
    #: Keyword arguments of the reader.
    options: Mapping[str, int] = field(default_factory=dict)

    def run(self, data: bytes, *, filename: str) -> Iterator[dict[str, str]]:
        """Records of the reader in its order, while the child is reading.

        :raises LoaderError: the reader refused the file, ran over a limit, or its process died.
        """
        with self._child() as (child, expired):
            _feed(child, data)
            yield from self._records(child, expired, filename)

    @contextmanager
    def _child(self) -> Iterator[tuple[subprocess.Popen[bytes], threading.Event]]:
        """A running child that a timer ends, and the event that tells that it did."""
        expired = threading.Event()
        child = subprocess.Popen(  # noqa: S603 - our own program, no shell, no word of the user
            self._command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )

        def expire() -> None:
            expired.set()
            child.kill()

        timer = threading.Timer(self.timeout, expire)
        timer.daemon = True
        timer.start()
        try:
            yield child, expired
        finally:
            timer.cancel()
            child.kill()
            _close(child)

    def _command(self) -> list[str]:
        cpu = math.ceil(self.timeout) + 1
        limits = [str(self.memory_limit * _MIB), str(cpu)]
        program = [sys.executable, "-P", "-m", "docrag.loaders.child"]
        return [*program, self.reader, *limits, json.dumps(dict(self.options))]

    def _records(
        self, child: subprocess.Popen[bytes], expired: threading.Event, filename: str
    ) -> Iterator[dict[str, str]]:
        left = MAX_OUTPUT
        stream: IO[bytes] = child.stdout  # type: ignore[assignment]  # a pipe, as asked for above
        while line := stream.readline(left + 1):
            left -= len(line)
            if left < 0:
                raise LoaderError(f"{filename!r} holds more than {MAX_OUTPUT // _MIB} MiB of text")
            if not line.endswith(b"\n"):
                break
            record: dict[str, str] = json.loads(line)
            if "end" in record:
                return
            if "error" in record:
                cause = record.get("cause", "")
                logger.debug("reader refused: %s", cause, extra={"action": "loader.refused"})
                raise self._refusal(record["error"], filename)
            yield record
        if expired.is_set():
            raise self._refusal("time", filename)
        raise self._refusal(self._cause_of_death(child.wait()), filename)

    def _cause_of_death(self, code: int) -> str:
        logger.warning("reader process ended with code %s", code, extra={"action": "loader.died"})
        sigxcpu = 24  # the kernel's word that the processor time is used up
        return "time" if code == -sigxcpu else f"the reader broke down (code {code})"

    def _refusal(self, cause: str, filename: str) -> LoaderError:
        advice = "split it into smaller files or save it again in a simpler form"
        if cause == "time":
            cause = f"it was not read within {self.timeout:g} seconds; {advice}"
        if cause == "memory":
            cause = f"reading it needs more than {self.memory_limit} MiB of memory; {advice}"
        return LoaderError(f"{filename!r} was refused: {cause}")


def _environment() -> dict[str, str]:
    """What the child may know: a few variables, and where this docrag is if not installed."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    # A thread for each processor, which numpy would start, takes address space from the limit.
    kept["OPENBLAS_NUM_THREADS"] = "1"
    above = str(Path(__file__).resolve().parents[2])
    if above == str(Path(sysconfig.get_path("purelib")).resolve()):
        return kept
    paths = [above, *kept.get("PYTHONPATH", "").split(os.pathsep)]
    return kept | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _feed(child: subprocess.Popen[bytes], data: bytes) -> None:
    """Send the file; a child that ends early is reported when its answer is read."""
    stream: IO[bytes] = child.stdin  # type: ignore[assignment]  # a pipe, as asked for above
    try:
        stream.write(data)
        stream.close()
    except BrokenPipeError:
        logger.debug("reader process took no more input", extra={"action": "loader.feed"})


def _close(child: subprocess.Popen[bytes]) -> None:
    """Close both pipes and wait for the child, so that neither handle nor zombie is left."""
    for stream in (child.stdin, child.stdout):
        try:
            if stream is not None:
                stream.close()
        except BrokenPipeError:  # unsent input of a child that is gone
            continue
    child.wait()
