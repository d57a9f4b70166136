from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from docrag.store.embedded import default_data_dir
from docrag.store.postmaster import read_postmaster
from tests.e2e.serving import PATIENCE, Serving, environment, eventually, free_port

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
        assert serving.process.wait(PATIENCE) == 0
        assert len(children) == 3
        assert all(is_gone(child) for child in children)
    assert not database_answers(instance)


def test_second_start_keeps_the_first_run(instance: Path) -> None:
    before = json.loads((instance / "first-run.json").read_text("utf-8"))
    with Serving.start(instance) as serving:
        here = f"http://127.0.0.1:{serving.port}"
        assert serving.first_run == {**before, "url": here}
        assert before["url"] != here
        assert serving.get("/api/documents").json() == {"documents": []}
        assert serving.first_run["admin_password"] not in serving.output
        assert serving.first_run["api_key"] not in serving.output
        assert "first-run.json" in serving.output


def test_killed_supervisor_leaves_nothing(instance: Path) -> None:
    with Serving.start(instance) as serving:
        children = serving.descendants()
        serving.process.kill()
        serving.process.wait(PATIENCE)
        assert eventually(lambda: all(is_gone(child) for child in children))
        assert eventually(lambda: not database_answers(instance))


def test_killed_worker_is_started_again(instance: Path) -> None:
    with Serving.start(instance) as serving:
        (first,) = serving.workers()
        first.kill()
        assert eventually(lambda: serving.workers() not in ([], [first]))


def test_killed_database_comes_back(instance: Path) -> None:
    with Serving.start(instance) as serving:
        data = default_data_dir(instance) / "pg"
        killed = read_postmaster(data)
        assert killed is not None
        killed.signal(signal.SIGKILL)
        assert eventually(lambda: read_postmaster(data) not in (None, killed))
        assert eventually(lambda: serving.get("/api/documents").status_code == 200)
        assert "DATABASE_URL" not in serving.output


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_unknown_component_ends_the_start(instance: Path, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docrag.cli", command],
        env=environment(instance, free_port(), DOCRAG_LLM="nope"),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert "docrag: error: no plugin 'nope' in docrag.llms; installed: " in done.stderr
    assert "is ready" not in done.stdout


def test_interrupt_before_it_is_ready_is_no_failure_of_docrag(instance: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "docrag.cli", "serve"],
        env=environment(instance, free_port()),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert eventually(lambda: database_answers(instance))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in said
