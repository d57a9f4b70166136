from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conventions.tree import modules, name_of, parsed

#: What gets a docstring.
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undocumented(tree: ast.Module) -> list[str]:
    """Public modules, classes and functions without a docstring."""
    return [name for name, node in _public(tree, "module") if not ast.get_docstring(node)]


def _public(node: _Documented, name: str) -> Iterator[tuple[str, _Documented]]:
    """The node and the public names in it; overloads and what stands in functions left out."""
    yield name, node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for child in node.body:
        if (
            isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and not child.name.startswith("_")
            and not _is_overload(child)
        ):
            yield from _public(child, child.name)


def _is_overload(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any("overload" in ast.dump(decorator) for decorator in decorators)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_public_names_have_docstrings(path: Path) -> None:
    assert undocumented(parsed(path)) == []


def test_missing_docstring_is_noticed() -> None:
    tree = ast.parse('"""Module."""\nclass A:\n    """A."""\n    def f(self): ...\n')
    assert undocumented(tree) == ["f"]
