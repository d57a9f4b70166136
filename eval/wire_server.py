"""docrag as it is shipped, in front of a fake model, on two cores; and what its processes cost."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from eval.wire_client import Address, Line
from tests.e2e.serving import Serving, eventually, free_port

#: Cores that everything shares: docrag, its database, the fake model and the client.
CORES: Final = 2
#: No limit is hit, but each request is counted, as in real life.
SETTINGS: Final = {"DOCRAG_RATE_PER_MINUTE": "1000000", "DOCRAG_QUOTA_PER_DAY": "1000000"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What is measured, running."""

    served: Serving
    upstream: int

    @property
    def direct(self) -> Address:
        """The fake model itself."""
        return Address(port=self.upstream, model="m")

    def docrag(self, model: str) -> Address:
        """A model of docrag, asked by the administrator."""
        return Address(port=self.served.port, model=model, key=self.served.first_run["api_key"])

    def pace(self, *, delay: float, tokens: int) -> None:
        """Have the fake model write so from now on."""
        with Line(self.direct) as line:
            line.post("/pace", {"delay": delay, "tokens": tokens})

    def web(self) -> list[psutil.Process]:
        """The web server and its processes, without docrag's supervisor and worker."""
        found = []
        for process in self.served.descendants():
            with suppress(psutil.NoSuchProcess):
                if "gunicorn" in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def database(self) -> list[psutil.Process]:
        """The processes of the embedded PostgreSQL."""
        folder = str(self.served.instance)
        return [process for process in psutil.process_iter() if _is_in(process, folder)]


@contextmanager
def bench() -> Iterator[Bench]:
    """A server with the sample documents, ready to be asked."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    folder = Path(tempfile.mkdtemp(prefix="docrag-wire-"))
    # As root the embedded server runs under another account, which has to get in.
    folder.chmod(0o755)
    port = free_port()
    options = {"model": "m", "url": f"http://127.0.0.1:{port}/v1", "context_window": 8192}
    upstream = subprocess.Popen((sys.executable, "-m", "eval.wire_upstream", str(port)))  # noqa: S603 - our own program
    try:
        llm = {"DOCRAG_LLM": "openai", "DOCRAG_LLM_OPTIONS": json.dumps(options)}
        with Serving.start(folder / "instance", **SETTINGS, **llm) as served:
            made = Bench(served=served, upstream=port)
            if not eventually(lambda: _answers(made.direct), within=10):
                raise RuntimeError("the fake model does not answer")
            yield made
    finally:
        upstream.terminate()
        upstream.wait()
        shutil.rmtree(folder, ignore_errors=True)


class Meter:
    """Processor time of processes from now on, threads that ended included.

    A process that ended meanwhile is left out. Where the system has no such clocks, it is 0.
    """

    def __init__(self, processes: Callable[[], Sequence[psutil.Process]]) -> None:
        """Start to count.

        :param processes: tells which ones there are, asked at the start and at the end.
        """
        self._processes = processes
        self._before = self._now()

    @property
    def seconds(self) -> float:
        """Seconds of processor time so far."""
        return sum(now - self._before.get(pid, 0.0) for pid, now in self._now().items())

    def _now(self) -> dict[int, float]:
        clocks = {}
        for process in self._processes():
            # The clock of another process, as clock_getcpuclockid(3) of Linux numbers it.
            with suppress(OSError):
                clocks[process.pid] = time.clock_gettime((~process.pid << 3) | 2)
        return clocks


def memory(processes: Sequence[psutil.Process]) -> float:
    """Proportional set size of processes, kB: shared pages are shared out; 0 where unknown."""
    total = 0
    for process in processes:
        with suppress(OSError):
            text = Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii")
            found = re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)
            total += int(found[1]) if found else 0
    return float(total)


def _is_in(process: psutil.Process, folder: str) -> bool:
    with suppress(psutil.Error, OSError):
        return str(process.cwd()).startswith(folder)
    return False


def _answers(address: Address) -> bool:
    with suppress(OSError), Line(address):
        return True
    return False
