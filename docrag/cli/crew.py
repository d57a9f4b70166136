"""Several workers that one command starts, restarts and ends."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from docrag.cli.lifeline import VARIABLE
from docrag.cli.supervisor import Backoff

logger = logging.getLogger(__name__)

#: Seconds between two looks at the workers.
_INTERVAL: Final = 0.2


@dataclass(slots=True)
class _Worker:
    """One worker process, and when it may be started again."""

    process: subprocess.Popen[bytes]
    born: float = field(default_factory=time.monotonic)
    backoff: Backoff = Backoff()
    due: float = 0.0


class Crew:
    """Workers with one command line. For one thread."""

    def __init__(self, command: Sequence[str], *, size: int, lasting: bool) -> None:
        """Start nothing yet.

        :param command: of one worker.
        :param size: how many there are, 1 or more.
        :param lasting: start one that ended again; else each may end when it has done its work.
        """
        self._command, self._size, self._lasting = tuple(command), size, lasting
        self._workers: list[_Worker] = []

    def run(self, stop: threading.Event) -> int:
        """Keep them at work until ``stop`` is set or all have ended.

        :returns: the first exit code of a worker that is not 0, else 0.
        """
        self._workers = [_Worker(self._spawn()) for _ in range(self._size)]
        while not stop.wait(_INTERVAL):
            if self._lasting:
                for worker in self._workers:
                    self._look_after(worker)
            elif all(worker.process.poll() is not None for worker in self._workers):
                break
        return self._end()

    def _spawn(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, VARIABLE: str(os.getpid())}
        # A session of its own: Ctrl-C reaches this process alone, which ends them in order.
        return subprocess.Popen(self._command, env=environment, start_new_session=True)  # noqa: S603 - our own command, no shell

    def _look_after(self, worker: _Worker) -> None:
        """Start a worker again that ended, after a pause that grows if it keeps ending."""
        code = worker.process.poll()
        if code is None:
            return
        now = time.monotonic()
        if not worker.due:
            worker.due = now + worker.backoff.pause
            worker.backoff = worker.backoff.after(now - worker.born)
            extra = {"action": "worker_ended", "code": code}
            logger.warning("a worker ended with code %s; it starts again", code, extra=extra)
        elif now >= worker.due:
            worker.process, worker.born, worker.due = self._spawn(), now, 0.0

    def _end(self) -> int:
        for worker in self._workers:
            if worker.process.poll() is None:
                worker.process.send_signal(signal.SIGTERM)
        codes = [worker.process.wait() for worker in self._workers]
        return next((code for code in codes if code), 0)
