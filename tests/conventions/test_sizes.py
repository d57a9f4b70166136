from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conventions.tree import modules, name_of, parsed

#: Most lines of a module and of a function.
MODULE, FUNCTION = 300, 50


def too_long(tree: ast.AST) -> list[str]:
    """Functions with more lines than allowed, decorators and docstring counted."""
    return [
        f"{node.name} ({node.end_lineno - node.lineno + 1})"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION
    ]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_module_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MODULE


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_functions_are_short(path: Path) -> None:
    assert too_long(parsed(path)) == []


def test_function_length_is_noticed() -> None:
    body = "    x = 1\n" * FUNCTION
    assert too_long(ast.parse(f"def f():\n{body}")) == ["f (51)"]
    assert too_long(ast.parse(f"def f():\n{body[:-10]}")) == []
