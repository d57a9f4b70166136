"""Child processes that live no longer than this one, and are started again if they should last."""

from __future__ import annotations

import logging
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.cli.lifeline import VARIABLE

logger = logging.getLogger(__name__)

#: Seconds before a dead child is started again: doubled each time, up to the longest.
_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0
#: A child that lived this long, s, is taken as sound: the pause starts small again.
_SOUND: Final = 60.0


def started(
    command: Sequence[str], *, environment: Mapping[str, str], inherited: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """A new child that ends with this process.

    :param inherited: file descriptors that it gets.
    """
    # A session of its own: Ctrl-C in the terminal reaches this process alone, which then ends its
    # children in order.
    return subprocess.Popen(  # noqa: S603 - our own commands, no shell
        command,
        env={**environment, VARIABLE: str(os.getpid())},
        pass_fds=inherited,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


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


class Worker:
    """A child that can be started again. For one thread."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        """Start it.

        :param start: gives a new process, each time.
        """
        self._start, self._backoff = start, Backoff()
        #: The newest one; it may have ended.
        self.process = start()
        self._born, self._due = time.monotonic(), 0.0

    def look_after(self) -> None:
        """Start it again if it ended, after a pause that grows if it keeps ending."""
        code = self.process.poll()
        if code is None:
            return
        now = time.monotonic()
        if not self._due:
            logger.warning(
                "worker ended with code %s; it starts again in %.0f s",
                code,
                self._backoff.pause,
                extra={"action": "worker_ended", "code": code},
            )
            self._due = now + self._backoff.pause
            self._backoff = self._backoff.after(now - self._born)
        elif now >= self._due:
            self.process, self._born, self._due = self._start(), now, 0.0
