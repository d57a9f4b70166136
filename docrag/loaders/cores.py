"""Processors that have nothing to do just now, by which work is shared out."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

#: Where Linux tells how many threads want to run, of all processes (proc_loadavg(5)).
_LOAD: Final = Path("/proc/loadavg")
#: Seconds to a second look, since a moment may belong to one that sleeps again at once.
_MOMENT: Final = 0.001
_TRIES: Final = 3


def idle(*, own: int = 1) -> int:
    """Processors that this process may use and nothing else runs on, the caller's own among them.

    1 where the system does not tell, so that nothing is shared out there.

    :param own: threads that run for the caller, itself and those of its children.
    """
    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows have no such call
        return 1
    found = 1
    for again in range(_TRIES):
        time.sleep(_MOMENT if again else 0)
        found = max(found, usable + own - max(_running(), own))
        if found == usable:
            break
    return found


def _running() -> int:
    """Threads that run or want to, the caller's among them; many where nobody tells."""
    try:
        return int(_LOAD.read_text(encoding="ascii").split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return 1_000_000
