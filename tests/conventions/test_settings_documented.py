from __future__ import annotations

import pytest
from click.testing import CliRunner

from docrag.cli import main
from docrag.settings import documented
from tests.conventions.tree import ROOT

PAGE = ROOT / "docs/settings.md"


def test_settings_page_is_up_to_date() -> None:
    """``docrag settings --markdown > docs/settings.md`` makes it so."""
    made = CliRunner().invoke(main, ["settings", "--markdown"], catch_exceptions=False)
    assert made.exit_code == 0
    assert PAGE.read_text("utf-8") == made.stdout


@pytest.mark.parametrize("variable", [name for name, _, _ in documented()])
def test_setting_is_documented(variable: str) -> None:
    assert f"| `{variable}` |" in PAGE.read_text("utf-8")


@pytest.mark.parametrize(("variable", "effect"), [(name, text) for name, _, text in documented()])
def test_setting_tells_its_effect(variable: str, effect: str) -> None:
    assert effect.endswith("."), variable
