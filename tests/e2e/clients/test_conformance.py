"""Programs that look for what is wrong with an API of OpenAI's kind find nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.clients.conftest import Live
from tests.e2e.clients.running import HERE, MODULES, PYTHON, ROOT, node_missing, python_missing

#: Seconds that the search for faults takes, and that any of these programs may take.
SEARCH, PATIENCE = 40, 120.0


def program(*command: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    """A finished program of the clients' environments."""
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.fixture
def python() -> None:
    """Skip loudly without the Python programs."""
    if reason := python_missing():
        pytest.skip(reason)


@pytest.mark.usefixtures("python")
@pytest.mark.parametrize("form", ["openai-chat", "open-responses"])
def test_llm_comply_passes(live: Live, form: str) -> None:
    done = program(
        str(PYTHON.with_name("llm-comply")),
        *("--format", form, "--json", "--verbose", "--timeout", "30"),
        *("--base-url", live.api, "--api-key", live.key, "--model", "docrag-plain"),
    )
    report = json.loads(done.stdout)
    found = [case for case in report["results"] if case["status"] not in ("passed", "skipped")]
    assert found == []
    assert done.returncode == 0


@pytest.mark.parametrize("profile", ["chat", "modern"])
def test_compatcanary_passes(live: Live, profile: str) -> None:
    if reason := node_missing():
        pytest.skip(reason)
    done = program(
        *(shutil.which("node") or "node", str(MODULES / "compatcanary/src/cli.js"), "scan"),
        *("--base-url", live.api, "--model", "docrag-plain", "--profile", profile),
        *("--format", "json", "--fail-on", "any"),
        OPENAI_API_KEY=live.key,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    wrong = {case["id"]: case["summary"] for case in report["results"] if case["status"] != "pass"}
    assert wrong == {}
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.usefixtures("python")
def test_schemathesis_finds_nothing(live: Live, tmp_path: Path) -> None:
    done = program(
        str(PYTHON.with_name("schemathesis")),
        *("--config-file", str(HERE / "schemathesis.toml")),
        *("run", f"{live.url}/openapi.json", "--max-time", str(SEARCH), "--workers", "2"),
        *("--header", f"Authorization: Bearer {live.key}"),
        # It leaves a folder of what it saw where it runs.
        cwd=tmp_path,
        SCHEMATHESIS_HOOKS=str(HERE / "scripts/fuzzing.py"),
    )
    assert done.returncode == 0, done.stdout
