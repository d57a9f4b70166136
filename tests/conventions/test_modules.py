from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conventions.tree import PACKAGE, ROOT, modules, name_of, parsed

#: Module names that say nothing about what is inside.
VAGUE = {"utils", "util", "helpers", "helper", "base", "common", "misc"}


def prints(tree: ast.AST) -> list[int]:
    """Lines that call ``print``."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]


def imported(tree: ast.AST) -> set[str]:
    """Names of all imported modules."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def ours(tree: ast.AST) -> set[str]:
    """Imported modules of docrag."""
    return {name for name in imported(tree) if name.split(".")[0] == "docrag"}


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_module_name_says_what_it_is(path: Path) -> None:
    assert not {path.stem, path.parent.name} & VAGUE


@pytest.mark.parametrize(
    "path", [path for path in modules() if not path.is_relative_to(PACKAGE / "cli")], ids=name_of
)
def test_only_the_command_line_prints(path: Path) -> None:
    assert prints(parsed(path)) == []


def test_print_is_noticed() -> None:
    assert prints(ast.parse("def f():\n    print('x')\n")) == [2]


@pytest.mark.parametrize("path", sorted((ROOT / "migrations/versions").glob("*.py")), ids=name_of)
def test_migration_imports_no_model(path: Path) -> None:
    assert ours(parsed(path)) == set()


def test_model_import_is_noticed() -> None:
    tree = ast.parse("import sqlalchemy\nfrom docrag.store.tables import Base\n")
    assert ours(tree) == {"docrag.store.tables"}
