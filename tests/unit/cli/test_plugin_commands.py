from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from docrag.cli import main


def run(*arguments: str) -> Result:
    """The outcome of ``docrag plugins``."""
    return CliRunner().invoke(main, ["plugins", *arguments])


def test_builtins_are_listed() -> None:
    rows = json.loads(run("list", "--kind", "loaders", "--json").stdout)
    assert {"kind": "loaders", "name": "pdf", "distribution": "docrag"} in rows


def test_unknown_plugin_is_told_with_what_there_is() -> None:
    result = run("check", "dwg")
    assert result.exit_code == 1
    assert "no plugin 'dwg'" in result.stderr
    assert "pdf" in result.stderr


def test_name_of_two_kinds_is_wrong_usage() -> None:
    result = run("check", "ollama")
    assert result.exit_code == 2
    assert "--kind" in result.stderr


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("loaders", "txt"),
        ("retrievers", "lexical"),
        ("judges", "llm"),
    ],
)
def test_builtin_keeps_its_contract(kind: str, name: str) -> None:
    result = run("check", name, "--kind", kind)
    assert result.exit_code == 0, result.output
    assert f"{name!r} keeps the contract of {kind}" in result.stderr


def test_shape_of_an_llm_is_checked() -> None:
    assert run("check", "ollama", "--kind", "llms").exit_code == 0
