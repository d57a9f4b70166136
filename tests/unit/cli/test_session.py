"""A command in the wrong folder is told so and makes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from docrag.cli import main


@pytest.mark.parametrize("command", [["documents", "list"], ["ask", "Soru?", "--role", "isg"]])
def test_command_makes_no_database_in_a_wrong_folder(tmp_path: Path, command: list[str]) -> None:
    instance = tmp_path / "yok"
    result = CliRunner().invoke(main, ["--instance", str(instance), *command])
    assert result.exit_code == 1
    assert "there is no docrag database in the instance folder 'yok'" in result.stderr
    assert not instance.exists()


def test_doctor_says_that_there_is_no_database(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--instance", str(tmp_path), "doctor", "--json"])
    assert result.exit_code == 1
    assert "docrag serve" in result.stdout
    assert not (tmp_path / "postgres").exists()
