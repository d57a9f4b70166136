from __future__ import annotations

import sys

import grimp
import pytest


def cycles(edges: dict[str, set[str]]) -> list[str]:
    """Modules that import themselves over others, sorted."""
    return sorted(start for start in edges if start in _reached(start, edges))


def _reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    open_ends = set(edges.get(start, ()))
    while open_ends:
        found |= open_ends
        open_ends = {after for one in open_ends for after in edges.get(one, ())} - found
    return found


def test_package_has_no_import_cycle(capsys: pytest.CaptureFixture[str]) -> None:
    graph = grimp.build_graph("docrag", cache_dir=None)
    edges = {
        module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules
    }
    found = cycles(edges)
    with capsys.disabled():
        sys.stdout.write(f"\nimport cycles: {len(found)} in {len(edges)} modules\n")
    assert found == []


def test_cycle_is_noticed() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
