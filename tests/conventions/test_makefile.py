from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conventions.tree import ROOT


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The outcome of a make command in the project."""
    command = ("make", "--no-print-directory", *arguments)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("target", ["eval-nonesuch", "bench-nonesuch"])
def test_missing_script_is_told(target: str) -> None:
    result = make(target)
    assert result.returncode != 0
    assert f"make {target}: not there yet" in result.stderr


def test_help_lists_the_targets() -> None:
    shown = make("help").stdout
    assert all(f"make {target}" in shown for target in ("serve", "check", "test", "clean"))


def test_old_python_is_refused(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    result = make(f"VENV={tmp_path / 'venv'}", f"PYTHON={old}", str(tmp_path / "venv/.serve"))
    assert result.returncode != 0
    assert "Python 3.11 or newer was not found" in result.stderr
