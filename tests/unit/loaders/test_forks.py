"""Readers that a fork server starts: as good as processes of their own, and faster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from docrag.loaders import forks, forkserver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="readers are forked on Linux only")
ROOT = Path(forks.__file__).parents[2]
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(__file__).parent)]),
}


def start(reader: str) -> forks.Child:
    return forks.start([f"readers:{reader}", str(256 << 20), "20", json.dumps({})], ENVIRONMENT)


def finish(child: forks.Child, data: bytes = b"") -> tuple[bytes, int]:
    """What a reader writes of a file, and its exit code."""
    assert child.stdin
    assert child.stdout
    with child.stdin, child.stdout:
        child.stdin.write(data)
        child.stdin.close()
        return child.stdout.read(), child.wait()


def test_forked_reader_reads() -> None:
    out, code = finish(start("echo"), "ışık".encode())
    assert (json.loads(out.splitlines()[0])["text"], code) == ("ışık", 0)


def test_forked_reader_tells_its_exit_code() -> None:
    assert finish(start("die"))[1] == 3


def test_forked_reader_can_be_killed() -> None:
    child = start("sleep")
    child.kill()
    assert finish(child)[1] == -signal.SIGKILL


def test_forked_reader_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCRAG_SECRET", "parola")
    out, _ = finish(start("inside"))
    assert json.loads(out.splitlines()[0]) == {"text": "", "warning": ""}


def test_forks_serve_threads() -> None:
    with ThreadPoolExecutor(8) as threads:
        ends = list(threads.map(lambda n: finish(start("echo"), b"x" * n), [10, 300_000] * 8))
    assert {code for _, code in ends} == {0}
    assert sum(len(out) > 300_000 for out, _ in ends) == 8


def test_fork_is_fast() -> None:
    finish(start("echo"))
    began = time.monotonic()
    for _ in range(10):
        finish(start("echo"))
    assert time.monotonic() - began < 1.5


def idle_readers() -> list[psutil.Process]:
    """Processes of the server that have no file."""
    server = psutil.Process(forks._server(ENVIRONMENT).process.pid)
    until = time.monotonic() + 5
    while not (found := server.children()) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def test_reader_waits_for_its_file() -> None:
    finish(start("echo"))
    (waiting,) = idle_readers()
    child = start("sleep")
    assert waiting in psutil.Process(forks._server(ENVIRONMENT).process.pid).children()
    child.kill()
    assert finish(child)[1] == -signal.SIGKILL
    assert not waiting.is_running()


def test_waiting_reader_that_was_killed_costs_no_file() -> None:
    finish(start("echo"))
    (waiting,) = idle_readers()
    waiting.kill()
    until = time.monotonic() + 5
    while waiting.is_running() and time.monotonic() < until:
        time.sleep(0.01)
    assert finish(start("echo"), b"x")[1] == 0


def test_reader_that_is_left_leaves_nothing() -> None:
    child = start("sleep")
    child.kill()
    assert child.stdin
    assert child.stdout
    child.stdin.close()
    child.stdout.close()
    forks.leave(child)
    finish(start("echo"))
    assert len(idle_readers()) == 1


def test_killed_server_is_replaced() -> None:
    finish(start("echo"))
    server = forks._server(ENVIRONMENT)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert finish(start("echo"))[1] == 0


def test_killed_server_leaves_no_descriptor() -> None:
    finish(start("echo"))
    before = psutil.Process().num_fds()
    for _ in range(3):
        server = forks._server(ENVIRONMENT)
        server.process.kill()
        server.process.wait()
        assert finish(start("echo"))[1] == 0
    assert psutil.Process().num_fds() == before


def test_what_is_held_within_stays_held() -> None:
    with forkserver._held():
        with forkserver._held():
            pass
        assert signal.SIGCHLD in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.SIGCHLD not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def gone(pid: int, seconds: float) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + seconds
    while psutil.pid_exists(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not psutil.pid_exists(pid)


def left_behind() -> int:
    """The number of a process that a reader has left; skips where it may start none."""
    left = json.loads(finish(start("linger"))[0].splitlines()[0])["text"]
    if not left:
        pytest.skip("NOT ROOT: a reader cannot start a process at all, which lowly.py tests")
    return int(left)


def test_what_a_reader_leaves_is_killed() -> None:
    assert gone(left_behind(), 1)


def test_what_a_reader_leaves_is_killed_beside_others() -> None:
    beside = start("sleep")
    assert gone(left_behind(), 1)
    assert psutil.Process(forks._server(ENVIRONMENT).process.pid).children()
    beside.kill()
    assert finish(beside)[1] == -signal.SIGKILL


def test_children_are_found_by_their_parent_where_the_kernel_has_no_list() -> None:
    with subprocess.Popen(["sleep", "9"]) as child:
        stat = Path(f"/proc/{child.pid}/stat")
        assert child.pid in forkserver.children()
        assert forkserver._parent(stat) == os.getpid()
        child.kill()
    assert forkserver._parent(stat) == 0


@pytest.mark.parametrize("waits", [True, False])
def test_reader_has_its_own_pipes_alone(waits: bool) -> None:
    beside = None if waits else start("sleep")
    finish(start("echo"))
    out, _ = finish(start("descriptors"))
    if beside:
        beside.kill()
        finish(beside)
    assert json.loads(out.splitlines()[0])["text"] == "2"  # its input and its output


def test_reader_of_a_user_cannot_be_opened_nor_leave_a_process() -> None:
    program = [sys.executable, str(Path(__file__).with_name("lowly.py"))]
    done = subprocess.run(program, env=ENVIRONMENT, capture_output=True, check=True)
    assert json.loads(done.stdout) == {"open": [], "left": ""}


def test_readers_end_with_their_server() -> None:
    child = start("sleep")
    server = forks._server(ENVIRONMENT)
    server.control.close()
    assert finish(child)[1] == -signal.SIGKILL
    assert server.process.wait(5) == 0
