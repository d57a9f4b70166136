"""The processes of ``docrag serve``: a web server and a worker that live and end together."""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from docrag.cli.children import Worker, started

logger = logging.getLogger(__name__)

#: Seconds between two looks at the children; a dead one is noticed this late.
_INTERVAL: Final = 0.5
#: Seconds that children get to end by themselves: gunicorn's 30 for streams, and some more.
_GRACE: Final = 35.0


class Supervisor:
    """Starts the children, restarts the worker, and ends both. For one thread."""

    def __init__(
        self,
        *,
        web: Sequence[str],
        worker: Sequence[str] | None,
        environment: Mapping[str, str],
        inherited: Sequence[int] = (),
    ) -> None:
        """Remember the commands; nothing is started yet.

        :param web: command of the web server; when it ends, everything ends.
        :param worker: command of the worker, or ``None`` for none.
        :param inherited: file descriptors that the web server gets.
        """
        self._start_web = partial(
            started, tuple(web), environment=environment, inherited=tuple(inherited)
        )
        self._start_worker = worker and partial(started, tuple(worker), environment=environment)
        self._web: subprocess.Popen[bytes] | None = None
        self._worker: Worker | None = None

    def start(self) -> None:
        """Start the web server and the worker."""
        self._web = self._start_web()
        self._worker = Worker(self._start_worker) if self._start_worker else None

    def ended(self) -> int | None:
        """Exit code of the web server, or ``None`` while it runs; restarts a dead worker."""
        if self._worker is not None:
            self._worker.look_after()
        return None if self._web is None else self._web.poll()

    def wait(self, stop: threading.Event) -> int:
        """Exit code of the web server, once it ended by itself or ``stop`` was set."""
        while not stop.wait(_INTERVAL):
            code = self.ended()
            if code is not None:
                logger.error("web server ended", extra={"action": "web_ended", "code": code})
                return code or 1
        return self.close()

    def reload(self) -> None:
        """Have the web server and the worker open the database anew; from any thread."""
        # gunicorn replaces its processes at SIGHUP; the worker is started again when it has ended.
        if self._web is not None:
            self._web.send_signal(signal.SIGHUP)
        if self._worker is not None:
            self._worker.process.terminate()

    def close(self) -> int:
        """End all children, politely first.

        :returns: exit code of the web server; 0 if none was started.
        """
        worker = None if self._worker is None else self._worker.process
        running = [child for child in (self._web, worker) if child is not None]
        for child in running:
            child.terminate()
        deadline = time.monotonic() + _GRACE
        for child in running:
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                logger.warning("killing a child", extra={"action": "kill", "pid": child.pid})
                child.kill()
                child.wait()
        return 0 if self._web is None else self._web.returncode
