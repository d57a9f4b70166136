"""The processes of ``docrag serve``: a web server and a worker that live and end together."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.cli.lifeline import VARIABLE

logger = logging.getLogger(__name__)

#: Seconds between two looks at the children; a dead one is noticed this late.
_INTERVAL: Final = 0.5
#: Seconds before a dead worker is started again: doubled each time, up to the longest.
_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0
#: A worker that lived this long, s, is taken as sound: the pause starts small again.
_SOUND: Final = 60.0
#: Seconds that children get to end by themselves: gunicorn's 30 for streams, and some more.
_GRACE: Final = 35.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How long to wait before a child is started again."""

    pause: float = _FIRST_PAUSE

    def after(self, lifetime: float) -> Backoff:
        """The next pause.

        :param lifetime: seconds that the child lived.
        """
        if lifetime >= _SOUND:
            return Backoff()
        return Backoff(pause=min(self.pause * 2, _LONGEST_PAUSE))


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
        self._web_command, self._worker_command = tuple(web), worker and tuple(worker)
        self._environment = {**environment, VARIABLE: str(os.getpid())}
        self._inherited = tuple(inherited)
        self._web: subprocess.Popen[bytes] | None = None
        self._worker: subprocess.Popen[bytes] | None = None
        self._born, self._due, self._backoff = 0.0, 0.0, Backoff()

    def start(self) -> None:
        """Start the web server and the worker."""
        self._web = self._spawn(self._web_command, self._inherited)
        self._start_worker()

    def ended(self) -> int | None:
        """Exit code of the web server, or ``None`` while it runs; restarts a dead worker."""
        self._look_after_worker()
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
        for child, number in ((self._web, signal.SIGHUP), (self._worker, signal.SIGTERM)):
            if child is not None:
                _signal(child, number)

    def close(self) -> int:
        """End all children, politely first.

        :returns: exit code of the web server; 0 if none was started.
        """
        running = [child for child in (self._web, self._worker) if child is not None]
        for child in running:
            _signal(child, signal.SIGTERM)
        deadline = time.monotonic() + _GRACE
        for child in running:
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                logger.warning("killing a child", extra={"action": "kill", "pid": child.pid})
                _signal(child, signal.SIGKILL)
                child.wait()
        return 0 if self._web is None else self._web.returncode

    def _spawn(self, command: Sequence[str], inherited: Sequence[int]) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C in the terminal reaches the supervisor alone, which then
        # ends the children in order.
        return subprocess.Popen(  # noqa: S603 - our own commands, no shell
            command,
            env=self._environment,
            pass_fds=inherited,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _start_worker(self) -> None:
        if self._worker_command:
            self._worker = self._spawn(self._worker_command, ())
            self._born, self._due = time.monotonic(), 0.0

    def _look_after_worker(self) -> None:
        if self._worker is None or self._worker.poll() is None:
            return
        now = time.monotonic()
        if not self._due:
            logger.warning(
                "worker ended with code %s; it starts again in %.0f s",
                self._worker.returncode,
                self._backoff.pause,
                extra={"action": "worker_ended", "code": self._worker.returncode},
            )
            self._due = now + self._backoff.pause
            self._backoff = self._backoff.after(now - self._born)
        elif now >= self._due:
            self._start_worker()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    if child.poll() is None:
        child.send_signal(number)
