from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import partial

import pytest

from docrag.cli.children import Backoff, Worker, started
from docrag.cli.lifeline import VARIABLE

SLEEP = (sys.executable, "-S", "-c", "import time; time.sleep(60)")


def fails(code: int) -> tuple[str, ...]:
    """A command that ends at once."""
    return (sys.executable, "-S", "-c", f"raise SystemExit({code})")


def worker(command: tuple[str, ...]) -> Worker:
    return Worker(partial(started, command, environment=os.environ))


@pytest.mark.parametrize(
    ("lifetime", "pause"), [(0.0, 2.0), (59.0, 2.0), (60.0, 1.0)], ids=["dead", "short", "sound"]
)
def test_pause_grows_for_short_lives(lifetime: float, pause: float) -> None:
    assert Backoff().after(lifetime).pause == pause


def test_pause_has_an_end() -> None:
    backoff = Backoff()
    for _ in range(20):
        backoff = backoff.after(0.0)
    assert backoff.pause == 60.0


def test_child_knows_its_parent_and_has_a_session_of_its_own() -> None:
    code = f"import os; raise SystemExit(os.environ[{VARIABLE!r}] != '{os.getpid()}')"
    child = started((sys.executable, "-S", "-c", code), environment={})
    assert os.getpgid(child.pid) == child.pid
    assert child.wait() == 0


def test_living_worker_is_let_be() -> None:
    lasting = worker(SLEEP)
    first = lasting.process
    lasting.look_after()
    assert lasting.process is first
    first.kill()
    assert first.wait() < 0


def test_dead_worker_is_started_again_after_its_pause(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    lasting = worker(fails(7))
    seen: list[subprocess.Popen[bytes]] = [lasting.process]
    for later in (100.0, 100.9, 101.0, 101.0, 102.9, 103.0):
        lasting.process.wait()
        now[0] = later
        lasting.look_after()
        seen += [lasting.process] if lasting.process is not seen[-1] else []
    lasting.process.wait()
    assert len(seen) == 3
    assert [record.getMessage() for record in caplog.records] == [
        f"worker ended with code 7; it starts again in {pause} s" for pause in (1, 2)
    ]
