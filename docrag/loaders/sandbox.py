"""Runs a reader over a file in a child process and gives its pages, or says why it could not."""

from __future__ import annotations

import json
import logging
import math
import os
import sysconfig
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

from docrag.api import LoaderError
from docrag.loaders import forks
from docrag.loaders.forks import Child

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

logger = logging.getLogger(__name__)

#: Most that a child may send back, bytes: a law of 240 pages has less than one million.
MAX_OUTPUT = 64 * 1024 * 1024
#: Variables that a Python child needs; all others, secrets among them, stay with the parent.
KEPT_VARIABLES = ("HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR")
#: Variables that a child gets. A thread for each processor, which numpy would start, takes address
#: space from the limit. The memory of a page that was read serves for the next one: taking it from
#: the system anew for each is a twentieth of the time of reading (bytes; the names are glibc's).
SET_VARIABLES = {
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": str(16 * 1024 * 1024),
    "MALLOC_MMAP_THRESHOLD_": str(4 * 1024 * 1024),
    "MALLOC_TOP_PAD_": str(2 * 1024 * 1024),
}
#: What a clerk can do about a file that takes too much.
ADVICE = "split it into smaller files or save it again in a simpler form"
_MIB = 1024 * 1024


class ReaderStopped(LoaderError):
    """The reader ran over a limit or its process died, after the records that it gave."""

    def __init__(self, message: str, *, cause: str) -> None:
        """Keep the cause.

        :param cause: ``time``, ``memory`` or ``broke``.
        """
        self.cause = cause
        super().__init__(message)


class Output:
    """How much the readers of one file may still send back, together. For one thread."""

    def __init__(self) -> None:
        """Nothing was sent yet."""
        #: Bytes.
        self.left = MAX_OUTPUT


@dataclass(slots=True)
class _End:
    """What is known of a reader's end."""

    #: Its time was over.
    expired: bool = False
    #: It said that it has given all that it had.
    done: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """Records of a reader at work, in its order."""

    child: Child
    records: Iterator[dict[str, str]]

    def __iter__(self) -> Iterator[dict[str, str]]:
        """The records that were not given yet."""
        return self.records

    def __next__(self) -> dict[str, str]:
        """The next one."""
        return next(self.records)

    def tell(self, number: int) -> None:
        """Answer a reader that asks."""
        _feed(self.child, b"%d\n" % number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A reader with its limits; safe to use from many threads at once."""

    #: ``package.module:function``; the function takes the bytes and the options, and yields
    #: dictionaries of text, a page each or what it likes, or one with ``error`` for a refusal.
    reader: str
    #: Seconds from start to end, also the limit of processor time.
    timeout: float
    #: Address space of the child, MiB.
    memory_limit: int
    #: Keyword arguments of the reader, as JSON holds them.
    options: Mapping[str, int | Sequence[int]] = field(default_factory=dict)

    def run(self, data: bytes, *, filename: str) -> Iterator[dict[str, str]]:
        """Records of the reader in its order, while the child is reading.

        :raises LoaderError: the reader refused the file.
        :raises ReaderStopped: it ran over a limit, or its process died.
        """
        with self.running(data, filename=filename) as running:
            yield from running

    @contextmanager
    def running(
        self, data: bytes, *, filename: str, output: Output | None = None, asks: bool = False
    ) -> Iterator[Running]:
        """A reader that has begun already and ends with the block; see `run`.

        :param output: of all readers of the file; of this one alone if ``None``.
        :param asks: it waits for a number; see `docrag.loaders.child.told`.
        """
        with self._child({"size": len(data)} if asks else {}) as (child, end):
            _feed(child, data, whole=not asks)
            yield Running(child, self._records(child, end, filename, output or Output()))

    @contextmanager
    def _child(self, options: Mapping[str, int]) -> Iterator[tuple[Child, _End]]:
        """A running child that a timer ends, and what is known of its end."""
        end = _End()
        child = forks.start(self._arguments(options), _environment())

        def expire() -> None:
            end.expired = True
            child.kill()

        timer = threading.Timer(self.timeout, expire)
        timer.daemon = True
        timer.start()
        try:
            yield child, end
        finally:
            timer.cancel()
            child.kill()
            _close(child)
            if end.done:  # it holds nothing for long that the next one might lack
                forks.leave(child)
            else:
                child.wait()

    def _arguments(self, options: Mapping[str, int]) -> list[str]:
        cpu = math.ceil(self.timeout) + 1
        limits = [str(self.memory_limit * _MIB), str(cpu)]
        return [self.reader, *limits, json.dumps({**self.options, **options})]

    def _records(
        self, child: Child, end: _End, filename: str, output: Output
    ) -> Iterator[dict[str, str]]:
        stream: IO[bytes] = child.stdout  # type: ignore[assignment]  # a pipe, as asked for above
        while line := stream.readline(output.left + 1):
            output.left -= len(line)
            if output.left < 0:
                raise LoaderError(f"{filename!r} holds more than {MAX_OUTPUT // _MIB} MiB of text")
            if not line.endswith(b"\n"):
                break
            record = _record(line)
            if record is None:
                break
            if "end" in record:
                end.done = True
                return
            if "error" in record:
                cause = record.get("cause", "")
                logger.debug("reader refused: %s", cause, extra={"action": "loader.refused"})
                if record["error"] == "memory":
                    raise self._stopped("memory", filename)
                raise LoaderError(f"{filename!r} was refused: {record['error']}")
            yield record
        raise self._dead("time" if end.expired else "", child.wait(), filename)

    def _dead(self, cause: str, code: int, filename: str) -> ReaderStopped:
        logger.debug("reader process ended with code %s", code, extra={"action": "loader.died"})
        sigxcpu = 24  # the kernel's word that the processor time is used up
        return self._stopped("time" if code == -sigxcpu else cause, filename, code)

    def _stopped(self, cause: str, filename: str, code: int = 0) -> ReaderStopped:
        if cause == "time":
            reason = f"it was not read within {self.timeout:g} seconds; {ADVICE}"
        elif cause == "memory":
            reason = f"reading it needs more than {self.memory_limit} MiB of memory; {ADVICE}"
        else:
            reason = f"the reader broke down (code {code})"
        return ReaderStopped(f"{filename!r} was refused: {reason}", cause=cause or "broke")


def _record(line: bytes) -> dict[str, str] | None:
    """A line as the record that it holds; ``None`` for what no sound reader writes."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    sound = isinstance(record, dict) and all(isinstance(text, str) for text in record.values())
    return record if sound else None


def _environment() -> dict[str, str]:
    """What the child may know: a few variables, and where this docrag is if not installed."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    kept |= SET_VARIABLES
    above = _uninstalled()
    if not above:
        return kept
    paths = [above, *kept.get("PYTHONPATH", "").split(os.pathsep)]
    return kept | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}


@cache
def _uninstalled() -> str:
    """The folder above this docrag; empty if it is one of installed packages."""
    above = Path(__file__).resolve().parents[2]
    return "" if above == Path(sysconfig.get_path("purelib")).resolve() else str(above)


def _feed(child: Child, data: bytes, *, whole: bool = True) -> None:
    """Send bytes; a child that ends early is reported when its answer is read.

    :param whole: nothing follows.
    """
    stream: IO[bytes] = child.stdin  # type: ignore[assignment]  # a pipe, as asked for above
    try:
        stream.write(data)
        if whole:
            stream.close()
        else:
            stream.flush()
    except BrokenPipeError:
        logger.debug("reader process took no more input", extra={"action": "loader.feed"})


def _close(child: Child) -> None:
    """Close both pipes."""
    for stream in (child.stdin, child.stdout):
        try:
            if stream is not None:
                stream.close()
        except BrokenPipeError:  # unsent input of a child that is gone
            continue
