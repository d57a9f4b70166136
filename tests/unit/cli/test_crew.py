"""Several workers under one command."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from docrag.cli.crew import Crew


def program(code: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", code)


def test_crew_ends_when_all_have_done_their_work() -> None:
    assert Crew(program("pass"), size=2, lasting=False).run(threading.Event()) == 0


def test_crew_tells_that_a_worker_failed() -> None:
    assert Crew(program("raise SystemExit(3)"), size=2, lasting=False).run(threading.Event()) == 3


def test_crew_ends_its_workers_when_told() -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    code = Crew(program("import time; time.sleep(60)"), size=2, lasting=True).run(stop)
    assert code == -15
    assert time.monotonic() - began < 10


def test_crew_starts_a_dead_worker_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"open({str(log)!r}, 'a').write('x')"
    stop = threading.Event()
    runner = threading.Thread(target=Crew(program(code), size=1, lasting=True).run, args=(stop,))
    runner.start()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (not log.exists() or len(log.read_text()) < 2):
        time.sleep(0.1)
    stop.set()
    runner.join()
    assert len(log.read_text()) >= 2
