from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from docrag.cli import main
from docrag.cli.group import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_command_has_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert f"Usage: main {name}" in result.stdout


def test_wrong_setting_is_one_line(tmp_path: Path) -> None:
    env = {"DOCRAG_TOP_K": "çok", "DOCRAG_INSTANCE": str(tmp_path)}
    result = CliRunner().invoke(main, ["settings"], env=env)
    assert result.exit_code == 1
    assert result.stderr == "docrag: error: DOCRAG_TOP_K is 'çok'; it must be a whole number\n"


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["ask", "x"], ["ask", " ", "--role", "a"], ["ingest", "--role", "a"]],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, arguments, env={"DATABASE_URL": ""}).exit_code == 2


def test_settings_hide_secrets(tmp_path: Path) -> None:
    env = {"SECRET_KEY": "çokgizli", "DOCRAG_INSTANCE": str(tmp_path)}
    result = CliRunner().invoke(main, ["settings", "--json"], env=env)
    assert "çokgizli" not in result.output
    shown = {row["setting"]: row["value"] for row in json.loads(result.stdout)}
    assert shown["SECRET_KEY"] == "(set, not shown)"
    assert shown["DATABASE_URL"] == ""


def test_instance_option_wins(tmp_path: Path) -> None:
    arguments = ["--instance", str(tmp_path / "öteki"), "settings", "--json"]
    result = CliRunner().invoke(main, arguments, env={"DOCRAG_INSTANCE": str(tmp_path)})
    shown = {row["setting"]: row["value"] for row in json.loads(result.stdout)}
    assert shown["DOCRAG_INSTANCE"] == str(tmp_path / "öteki")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "docrag: interrupted\n"),
        (
            PermissionError(13, "Permission denied", "/gizli/klasör/dosya"),
            1,
            "docrag: error: dosya: Permission denied; look at its owner\n",
        ),
    ],
)
def test_end_from_outside_is_one_line(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr("docrag.cli.group.import_module", fail)
    result = CliRunner().invoke(main, ["settings"])
    assert (result.exit_code, result.stderr) == (code, said)


def test_interrupt_during_the_import_is_silent() -> None:
    """As in the first second of any command: the module kills itself while it is imported."""
    code = (
        "import os, signal, sys; sys.modules['docrag.cli.session'] = type('M', (), {"
        "'__getattr__': lambda *_: os.kill(os.getpid(), signal.SIGINT)})();"
        "from docrag.cli import main"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
