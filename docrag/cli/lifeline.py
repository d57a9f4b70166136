"""Ends a child process when the supervisor that started it is gone, however it went."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Final

#: Variable that carries the supervisor's process id; no ``DOCRAG_`` prefix since it is no setting.
VARIABLE: Final = "_DOCRAG_SUPERVISOR"
#: ``PR_SET_PDEATHSIG`` of prctl(2): the kernel sends a signal when the parent dies.
_PR_SET_PDEATHSIG: Final = 1
#: Seconds that a killed supervisor may take to end all its threads, and between two looks at it.
_DYING: Final = 5.0
_LOOK: Final = 0.02
#: Seconds between two looks at the parent where the kernel cannot tell.
_INTERVAL: Final = 1.0


def follow_supervisor() -> None:
    """Have this process get SIGTERM once its supervisor is gone; nothing without a supervisor."""
    parent = int(os.environ.get(VARIABLE) or 0)
    if not parent:
        return
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    else:
        threading.Thread(target=_watch, args=(parent,), name="lifeline", daemon=True).start()
    # The parent may have died before the kernel was asked.
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def await_supervisor_gone() -> None:
    """Wait while a killed supervisor is not wholly gone; returns at once while it lives.

    The kernel tells children of the death of its first thread. The others may live for a moment,
    and with them its file locks, by which the embedded database counts who still uses it.
    """
    supervisor = int(os.environ.get(VARIABLE) or 0)
    deadline = time.monotonic() + _DYING
    while supervisor and _is_dying(supervisor) and time.monotonic() < deadline:
        time.sleep(_LOOK)


def _is_dying(pid: int) -> bool:
    """True if the first thread of a process has ended and another one has not (proc(5))."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
        return state in (b"Z", b"X") and len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def stop_on_signals(stop: threading.Event, *numbers: signal.Signals) -> list[int]:
    """Have these signals set the event.

    From a thread: a handler runs in the middle of whatever the main thread does, and
    ``Event.set`` there would wait for ever if that were ``Event.wait`` on the same event.

    :returns: the signals that came, to which later ones are added.
    """
    came: list[int] = []

    def handle(number: int, _: FrameType | None) -> None:
        came.append(number)
        threading.Thread(target=stop.set, name="stop").start()

    for number in numbers:
        signal.signal(number, handle)
    return came


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
