"""Time that a retrieval keeps processors busy, whatever else the machine does meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

from sqlalchemy import Engine, text


class CpuClock:
    """Seconds of processor time of this process and of one of PostgreSQL's together.

    From ``/proc/PID/schedstat``, in nanoseconds, so the server has to run on this machine and its
    process has to be the one that the measured statements use: the engine's only connection.
    """

    def __init__(self, engine: Engine) -> None:
        """Look for the process behind the engine's connection."""
        with engine.connect() as connection:
            pid = connection.scalar(text("SELECT pg_backend_pid()"))
        self._path = Path(f"/proc/{pid}/schedstat")
        self.works = self._path.exists()

    def now(self) -> float:
        """Seconds since some moment; 0 if the clock does not work here."""
        if not self.works:
            return 0.0
        busy = int(self._path.read_text("ascii").split()[0])
        return time.process_time() + busy / 1e9
