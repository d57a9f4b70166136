from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from docrag.store.postmaster import Postmaster, read_postmaster, stop_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose command line looks like that of the server of `tmp_path`."""
    command = ["/bin/sh", "-c", "while :; do sleep 60; done", "postgres", "-D", str(tmp_path)]
    with subprocess.Popen(command, start_new_session=True) as running:
        # For a moment after the exec the kernel shows no command line yet.
        deadline = time.monotonic() + 5
        while "-D" not in psutil.Process(running.pid).cmdline() and time.monotonic() < deadline:
            time.sleep(0.01)
        yield running
        os.killpg(running.pid, 9)


def test_pid_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "postmaster.pid").write_text("17\n/veri/pg\n1700000000\n5433\n\n127.0.0.1\n")
    assert read_postmaster(tmp_path) == Postmaster(pid=17, port=5433, data=tmp_path)


def test_pid_file_has_no_port_yet(tmp_path: Path) -> None:
    (tmp_path / "postmaster.pid").write_text("17\n/veri/pg\n")
    assert read_postmaster(tmp_path) == Postmaster(pid=17, port=None, data=tmp_path)


@pytest.mark.parametrize("content", [None, "", "\n", "on yedi\n"])
def test_pid_file_is_absent_or_empty(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "postmaster.pid").write_text(content)
    assert read_postmaster(tmp_path) is None


def test_process_with_our_folder_is_alive(tmp_path: Path, process: subprocess.Popen[bytes]) -> None:
    assert Postmaster(pid=process.pid, port=None, data=tmp_path).alive()


def test_process_with_another_folder_is_not_ours(
    tmp_path: Path, process: subprocess.Popen[bytes]
) -> None:
    assert not Postmaster(pid=process.pid, port=None, data=tmp_path / "başka").alive()


def test_own_pid_is_not_the_server(tmp_path: Path) -> None:
    assert not Postmaster(pid=os.getpid(), port=None, data=tmp_path).alive()


def test_zombie_is_dead(tmp_path: Path) -> None:
    command = ["/bin/sh", "-c", "exit", "postgres", "-D", str(tmp_path)]
    with subprocess.Popen(command) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not Postmaster(pid=process.pid, port=None, data=tmp_path).alive()


def test_server_is_stopped(tmp_path: Path) -> None:
    script = "while :; do sleep 0.05; done"
    # A shell's background job ignores SIGINT, and so would its children: `env` undoes that.
    command = [
        "env",
        "--default-signal=INT,QUIT",
        "/bin/sh",
        "-c",
        script,
        "sh",
        "-D",
        str(tmp_path),
    ]
    with subprocess.Popen(command) as process:
        try:
            (tmp_path / "postmaster.pid").write_text(f"{process.pid}\n{tmp_path}\n0\n1\n")
            stop_server(tmp_path)
            assert process.wait(5) == -signal.SIGINT
        finally:
            process.kill()


def test_nothing_is_stopped_without_a_pid_file(tmp_path: Path) -> None:
    stop_server(tmp_path)
    assert list(tmp_path.iterdir()) == []
