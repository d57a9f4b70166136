from __future__ import annotations

import json

import click
import pytest
from click.testing import CliRunner, Result

from docrag.cli import main, pluginoptions


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


@pytest.mark.parametrize(
    ("kind", "name", "missing"),
    [
        ("judges", "http", ["url"]),
        ("rerankers", "http", ["url"]),
        ("embedders", "openai", ["model", "url", "dim"]),
        ("llms", "openai", ["model", "url"]),
        ("llms", "anthropic", ["model", "url"]),
    ],
)
def test_missing_options_are_told_in_one_line(kind: str, name: str, missing: list[str]) -> None:
    result = run("check", name, "--kind", kind)
    assert result.exit_code == 2
    told = result.stderr.splitlines()[-1]
    for option in missing:
        assert f"--option {option}=…" in told
    assert f"DOCRAG_{kind[:-1].upper()}_OPTIONS" in told
    assert "does not keep" not in result.output and "Traceback" not in result.output


@pytest.mark.parametrize(
    ("kind", "name", "option", "words"),
    [
        ("judges", "http", "adres=http://x", "it takes url, shape"),
        ("judges", "http", "url=ftp://x", "http:// or https://"),
        ("judges", "http", "url", "NAME=VALUE"),
        ("judges", "http", "timeout=abc", "--option timeout must be a number, not 'abc'"),
        ("judges", "llm", "max_tokens=ığ", "max_tokens must be a whole number, not 'ığ'"),
        ("judges", "llm", "timeout=", "--option timeout must be a number, not ''"),
        ("rerankers", "http", "batch_size=2.5", "batch_size must be a whole number, not '2.5'"),
        ("llms", "openai", "timeout=true", "--option timeout must be a number, not 'true'"),
        ("loaders", "txt", "url=http://x", "it takes timeout"),
    ],
)
def test_wrong_option_is_told_in_one_line(kind: str, name: str, option: str, words: str) -> None:
    result = run("check", name, "--kind", kind, "--option", option)
    assert result.exit_code in (1, 2)
    assert words in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.output


def test_options_reach_the_plugin() -> None:
    url = "url=http://127.0.0.1:9/v1"
    result = run(
        "check", "openai", "--kind", "llms",
        "--option", "model=12", "--option", url, "--option", "timeout=3",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "keeps the contract of llms" in result.stderr


def test_option_of_the_command_comes_before_the_configured_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DOCRAG_LLM", "openai")
    monkeypatch.setenv("DOCRAG_LLM_OPTIONS", '{"model": "m", "url": "http://127.0.0.1:9/v1"}')
    assert run("check", "openai", "--kind", "llms").exit_code == 0
    result = run("check", "openai", "--kind", "llms", "--option", "url=ftp://x")
    assert result.exit_code == 1 and "http" in result.stderr


@pytest.mark.parametrize(
    ("text", "value"),
    [("size=3", 3), ("label=3", "3"), ("label=a=b", "a=b"), ("label=ığ", "ığ"), ("on=true", True)],
)
def test_option_is_json_unless_it_is_a_text(text: str, value: object) -> None:
    def factory(*, size: int, label: str, on: bool) -> None:
        """What is built."""

    assert list(pluginoptions.given([text], factory).values()) == [value]


def test_number_of_another_form_is_told_with_its_option() -> None:
    def factory(*, size: int = 1, share: float = 0.5, on: bool = False, more: list[int]) -> None:
        """What is built."""

    taken = pluginoptions.given(["size=3", "share=1", "on=true", "more=4"], factory)
    assert taken == {"size": 3, "share": 1, "on": True, "more": 4}
    assert pluginoptions.given([f"share={10**400}"], factory) == {"share": 10**400}
    for text in ("size=true", "share=yarım", "share=NaN", "on=1", "size=1e999"):
        with pytest.raises(click.UsageError, match=f"--option {text.partition('=')[0]} must be"):
            pluginoptions.given([text], factory)


@pytest.mark.parametrize("kind", ["judge", "reranker"])
def test_wrong_value_of_the_settings_is_told_as_well(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"DOCRAG_{kind.upper()}", "http")
    options = '{"url": "http://127.0.0.1:9", "timeout": "abc"}'
    monkeypatch.setenv(f"DOCRAG_{kind.upper()}_OPTIONS", options)
    result = run("check", "http", "--kind", f"{kind}s", "--option", "url=http://127.0.0.1:9")
    assert result.exit_code == 1
    assert "timeout must be a number of seconds, more than 0" in result.stderr
    assert "not 'abc'" in result.stderr and "Traceback" not in result.output
