from __future__ import annotations

import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from docrag.store.embedded import default_data_dir
from tests.e2e.serving import Serving, eventually

pytestmark = pytest.mark.embedded


@pytest.fixture(scope="module")
def instance() -> Iterator[Path]:
    """An instance folder after its first run, without samples."""
    folder = Path(tempfile.mkdtemp(prefix="docrag-serve-"))
    folder.chmod(0o755)
    with Serving.start(folder / "instance", DOCRAG_SAMPLES="false"):
        pass
    yield folder / "instance"
    shutil.rmtree(folder)


def database_answers(instance: Path) -> bool:
    """True if the embedded server of the instance takes connections."""
    port = int((default_data_dir(instance) / "port").read_text())
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def is_gone(process: psutil.Process) -> bool:
    """True if the process has ended, reaped or not."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_everything(instance: Path, number: signal.Signals) -> None:
    with Serving.start(instance) as serving:
        children = serving.descendants()
        assert database_answers(instance)
        serving.process.send_signal(number)
        assert serving.process.wait(60) == 0
        assert len(children) == 3
        assert all(is_gone(child) for child in children)
    assert not database_answers(instance)


def test_second_start_keeps_the_first_run(instance: Path) -> None:
    before = (instance / "first-run.json").read_bytes()
    with Serving.start(instance) as serving:
        assert (instance / "first-run.json").read_bytes() == before
        assert serving.get("/api/documents").json() == {"documents": []}
        assert serving.first_run["admin_password"] not in serving.output
        assert serving.first_run["api_key"] not in serving.output
        assert "first-run.json" in serving.output


def test_killed_supervisor_leaves_nothing(instance: Path) -> None:
    with Serving.start(instance) as serving:
        children = serving.descendants()
        serving.process.kill()
        serving.process.wait(10)
        assert eventually(lambda: all(is_gone(child) for child in children), 30)
        assert eventually(lambda: not database_answers(instance), 30)


def test_killed_worker_is_started_again(instance: Path) -> None:
    with Serving.start(instance) as serving:
        (first,) = serving.workers()
        first.kill()
        assert eventually(lambda: serving.workers() not in ([], [first]), 30)
