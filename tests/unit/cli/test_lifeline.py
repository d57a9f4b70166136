from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from docrag.cli.lifeline import VARIABLE, await_supervisor_gone, stop_on_signals

#: Follows its supervisor, says so, and sleeps.
CHILD = """
import time
from docrag.cli.lifeline import follow_supervisor
follow_supervisor()
print("following", flush=True)
time.sleep(60)
"""
#: Starts a child as a supervisor does, tells its process id, and sleeps.
PARENT = f"""
import os, subprocess, sys, time
env = {{**os.environ, {VARIABLE!r}: str(os.getpid())}}
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}], env=env, stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""


def is_running(pid: int) -> bool:
    """True if the process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="NEEDS LINUX: asks the kernel")
def test_child_follows_a_killed_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    deadline = time.monotonic() + 20
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(pid)


def test_child_of_a_dead_parent_ends_at_once() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    env = {**os.environ, VARIABLE: str(dead.pid)}
    result = subprocess.run([sys.executable, "-c", CHILD], env=env, timeout=30, check=False)
    assert result.returncode == -signal.SIGTERM


@pytest.mark.parametrize("supervisor", ["", "alive", "none"])
def test_nothing_is_awaited_without_a_dying_supervisor(
    monkeypatch: pytest.MonkeyPatch, supervisor: str
) -> None:
    pid = {"": "", "alive": str(os.getpid()), "none": str(2**22 + 1)}[supervisor]
    monkeypatch.setenv(VARIABLE, pid)
    begun = time.monotonic()
    await_supervisor_gone()
    assert time.monotonic() - begun < 1


def test_signal_sets_the_event_while_it_is_held() -> None:
    """A handler that called ``set`` itself would wait for ever for the lock held here."""
    before = signal.getsignal(signal.SIGUSR1)
    stop = threading.Event()
    try:
        stop_on_signals(stop, signal.SIGUSR1)
        with stop._cond:  # type: ignore[attr-defined] # the state that cannot be met on purpose
            signal.raise_signal(signal.SIGUSR1)
        assert stop.wait(10)
    finally:
        signal.signal(signal.SIGUSR1, before)
