from __future__ import annotations

import pytest
from click.testing import CliRunner

from docrag.cli import main


@pytest.mark.parametrize("group", ["", "documents", "user", "reindex", "audit", "plugins"])
def test_help_tells_whole_sentences(group: str) -> None:
    result = CliRunner().invoke(main, [*group.split(), "--help"], terminal_width=80)
    assert result.exit_code == 0
    commands = result.stdout.partition("Commands:")[2]
    assert commands.strip()
    assert "..." not in commands
