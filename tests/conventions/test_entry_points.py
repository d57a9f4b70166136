from __future__ import annotations

import re
from importlib import import_module

import pytest

from docrag.registry import KINDS
from tests.conventions.tree import ROOT, lines_of, setup_cfg

SECTION = "options.entry_points"
GROUPS = sorted(setup_cfg()[SECTION])
POINTS = [
    (group, *re.split(r"\s*=\s*", line, maxsplit=1))
    for group in GROUPS
    for line in lines_of(SECTION, group)
]


@pytest.mark.parametrize(("group", "name", "target"), POINTS)
def test_entry_point_is_importable(group: str, name: str, target: str) -> None:
    module, _, attribute = target.partition(":")
    assert callable(getattr(import_module(module), attribute))


@pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, name, _ in POINTS if group != "console_scripts"]
)
def test_entry_point_is_documented(group: str, name: str) -> None:
    page = (ROOT / "docs/plugins.md").read_text("utf-8")
    kind = group.removeprefix("docrag.")
    row = next(line for line in page.splitlines() if line.startswith(f"| {kind} |"))
    assert f"`{name}`" in row


def test_entry_point_groups_are_plugin_kinds() -> None:
    assert set(GROUPS) == {"console_scripts", *(f"docrag.{kind}" for kind in KINDS)}
