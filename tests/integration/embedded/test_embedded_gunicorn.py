"""A forking web server on an embedded database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docrag.store.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.integration.embedded.conftest import Server

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(120)]

PROGRAMS = Path(__file__).parent / "programs"


class Gunicorn:
    """Gunicorn with two workers; `worker` is the pid of one that answered."""

    def __init__(self, environment: dict[str, str], *, preload: bool) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "gunicorn", "--workers=2", "--log-level=error"),
                *(f"--bind=127.0.0.1:{self.port}", f"--chdir={PROGRAMS}"),
                *(["--preload"] if preload else []),
                "embedded_wsgi:app",
            ],
            env=environment,
        )

    def worker(self) -> int:
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=30) as answer:
                    return int(answer.read())
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def terminate(self) -> int:
        self.process.terminate()
        return self.process.wait(60)


@pytest.fixture(params=[False, True], ids=["plain", "preload"])
def gunicorn(
    server: Server, request: pytest.FixtureRequest, environment: Callable[..., dict[str, str]]
) -> Iterator[Gunicorn]:
    more = {"CLUSTER": str(server.home), "PRELOADED": "yes" if request.param else ""}
    running = Gunicorn(environment(**more), preload=request.param)
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.wait()


def test_gunicorn_keeps_the_server_until_it_ends(server: Server, gunicorn: Gunicorn) -> None:
    killed, pid = gunicorn.worker(), server.postmaster.pid
    os.kill(killed, signal.SIGKILL)
    assert gunicorn.worker() != killed
    assert server.postmaster.pid == pid
    assert gunicorn.terminate() == 0
    assert not server.runs
