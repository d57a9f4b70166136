"""Several workers that one command starts, restarts and ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import partial
from typing import Final

from docrag.cli.children import Worker, started

#: Seconds between two looks at the workers.
_INTERVAL: Final = 0.2


class Crew:
    """Workers with one command line. For one thread."""

    def __init__(self, command: Sequence[str], *, size: int, lasting: bool) -> None:
        """Start nothing yet.

        :param command: of one worker.
        :param size: how many there are, 1 or more.
        :param lasting: start one that ended again; else each may end when it has done its work.
        """
        self._command, self._size, self._lasting = tuple(command), size, lasting

    def run(self, stop: threading.Event) -> int:
        """Keep them at work until ``stop`` is set or all have ended.

        :returns: the first exit code of a worker that is not 0, else 0.
        """
        start = partial(started, self._command, environment=os.environ)
        workers = [Worker(start) for _ in range(self._size)]
        while not stop.wait(_INTERVAL):
            if self._lasting:
                for worker in workers:
                    worker.look_after()
            elif all(worker.process.poll() is not None for worker in workers):
                break
        for worker in workers:
            worker.process.terminate()
        codes = [worker.process.wait() for worker in workers]
        return next((code for code in codes if code), 0)
