from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

from docrag.cli.supervisor import Supervisor

SLEEP = (sys.executable, "-S", "-c", "import time; time.sleep(60)")


def fails(code: int) -> tuple[str, ...]:
    """A command that ends at once."""
    return (sys.executable, "-S", "-c", f"raise SystemExit({code})")


def test_end_of_the_web_server_is_the_end() -> None:
    supervisor = Supervisor(web=fails(7), worker=None, environment=os.environ)
    supervisor.start()
    assert supervisor.wait(threading.Event()) == 7


def test_stop_ends_both_children() -> None:
    supervisor = Supervisor(web=SLEEP, worker=SLEEP, environment=os.environ)
    supervisor.start()
    stop = threading.Event()
    stop.set()
    assert supervisor.wait(stop) == -signal.SIGTERM


def test_dead_worker_is_started_again(tmp_path: Path) -> None:
    mark = tmp_path / "runs"
    command = (sys.executable, "-S", "-c", f"open({str(mark)!r}, 'a').write('x')")
    supervisor = Supervisor(web=SLEEP, worker=command, environment=os.environ)
    supervisor.start()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and (not mark.exists() or len(mark.read_text()) < 2):
        assert supervisor.ended() is None
        time.sleep(0.05)
    supervisor.close()
    assert mark.read_text() == "xx"
