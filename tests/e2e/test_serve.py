from __future__ import annotations

import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from docrag import samples
from tests.e2e.serving import Serving, environment

pytestmark = pytest.mark.embedded


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    """A first start on an empty instance folder."""
    # Not tmp_path: as root, pytest closes its folders to the account of the database.
    folder = Path(tempfile.mkdtemp(prefix="docrag-serve-"))
    folder.chmod(0o755)
    with Serving.start(folder / "instance") as serving:
        yield serving
    shutil.rmtree(folder)


def test_first_run_file_is_private(serving: Serving) -> None:
    mode = (serving.instance / "first-run.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_first_run_file_has_its_keys(serving: Serving) -> None:
    made = serving.first_run
    assert set(made) == {"url", "admin_user", "admin_password", "api_key"}
    assert made["url"] == f"http://127.0.0.1:{serving.port}"
    assert made["admin_user"] == "admin"


def test_first_run_shows_the_secrets_once(serving: Serving) -> None:
    made = serving.first_run
    assert serving.output.count(made["admin_password"]) == 1
    assert serving.output.count(made["api_key"]) == 1


def test_first_run_tells_the_new_folder(serving: Serving) -> None:
    said = f"INFO docrag.database: there was no docrag in the folder {serving.instance}; "
    assert serving.output.count(said) == 1


def test_signing_key_is_private(serving: Serving) -> None:
    path = serving.instance / "secret-key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(path.read_text().strip()) == 64


def test_serve_is_ready(serving: Serving) -> None:
    assert serving.get("/readyz").status_code == 200


def test_samples_are_ready(serving: Serving) -> None:
    listed = serving.get("/api/documents").json()["documents"]
    assert {item["title"] for item in listed} == {sample.title for sample in samples.manifest()}
    assert {item["state"] for item in listed} == {"ready"}


@pytest.mark.parametrize("sample", samples.manifest(), ids=lambda sample: sample.filename)
def test_sample_answers_its_question(serving: Serving, sample: samples.Sample) -> None:
    question = sample.questions[0]
    content = serving.ask(question.text)["choices"][0]["message"]["content"]
    assert all(words in content for words in question.must_contain)
    assert "[1]" in content


def test_serve_runs_web_and_worker(serving: Serving) -> None:
    commands = [" ".join(child.cmdline()) for child in serving.descendants()]
    assert sum("gunicorn" in command for command in commands) == 2
    assert sum(command.endswith("docrag.cli worker") for command in commands) == 1


def test_worker_gives_way_to_answers(serving: Serving) -> None:
    (worker,) = serving.workers()
    assert worker.nice() == min(psutil.Process(serving.process.pid).nice() + 5, 19)


def test_taken_port_is_told(serving: Serving, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "docrag.cli", "serve"],
        env=environment(tmp_path / "other", serving.port),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert f"cannot listen on 127.0.0.1 port {serving.port}" in line
    assert not (tmp_path / "other").exists()
