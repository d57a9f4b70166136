from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from docrag.cli import main
from docrag.settings import documented
from tests.conventions.tree import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "plugins/README.md"])
#: Most lines of the README.
LONGEST = 120


def paths_in(text: str) -> set[str]:
    """Paths of the project that a page names in backticks."""
    return {
        path
        for path in re.findall(r"`([\w./-]+)`", text)
        if re.match(r"(docs|docrag|plugins|migrations|tests|eval)/", path)
    }


def commands_in(text: str) -> set[tuple[str, ...]]:
    """``docrag`` commands that a page shows: the command and, of a group, its subcommand."""
    shown = re.findall(
        r"(?:^ +|`|bin/|run --rm web )docrag ((?:[a-z-]+)(?: [a-z-]+)?)", text, re.MULTILINE
    )
    return {tuple(words.split()) for words in shown}


def known(words: tuple[str, ...]) -> bool:
    """True if the command line has the command; a word after a plain command is an argument."""
    context = click.Context(main)
    command = main.get_command(context, words[0])
    if isinstance(command, click.Group) and len(words) > 1:
        return command.get_command(context, words[1]) is not None
    return command is not None


def test_readme_is_short() -> None:
    assert len(README.splitlines()) <= LONGEST


def test_readme_has_no_gaps() -> None:
    assert "MEASURE" not in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_paths_exist(page: Path) -> None:
    missing = [path for path in paths_in(page.read_text("utf-8")) if not (ROOT / path).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_commands_exist(page: Path) -> None:
    unknown = [words for words in commands_in(page.read_text("utf-8")) if not known(words)]
    assert unknown == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_settings_exist(page: Path) -> None:
    # Those of docker-compose.yml and of the tests are read by these alone.
    elsewhere = {"DOCRAG_TAG", "DOCRAG_LISTEN", "DOCRAG_TEST_DATABASE_URL"}
    variables = {name for name, _, _ in documented()} | elsewhere
    named = set(re.findall(r"\bDOCRAG_[A-Z_]*[A-Z]\b", page.read_text("utf-8")))
    assert named - variables <= {"DOCRAG_PLUGIN_CHOICE"} - variables


def test_named_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"\bmake ([a-z]+)\b(?! it)", README))
    assert {"serve", "test", "check"} <= targets
    missing = [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)]
    assert missing == []


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_in_readme_is_valid(code: str) -> None:
    ast.parse(code)


def test_unknown_names_are_noticed() -> None:
    assert paths_in("see `docs/nowhere.md` and `make serve`") == {"docs/nowhere.md"}
    assert commands_in("    .venv/bin/docrag nonsense x\n") == {("nonsense", "x")}
    assert not known(("nonsense",))
    assert not known(("user", "nonsense"))
