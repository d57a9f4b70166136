"""Ends a child process when the supervisor that started it is gone, however it went."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from typing import Final

#: Variable that carries the supervisor's process id; no ``DOCRAG_`` prefix since it is no setting.
VARIABLE: Final = "_DOCRAG_SUPERVISOR"
#: ``PR_SET_PDEATHSIG`` of prctl(2): the kernel sends a signal when the parent dies.
_PR_SET_PDEATHSIG: Final = 1
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


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
