from __future__ import annotations

import stat
from pathlib import Path

from docrag.cli.privatefile import write_private


def test_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "yeni" / "gizli.json"
    write_private(path, "ş")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text("utf-8") == "ş"


def test_open_file_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "gizli"
    path.write_text("eski")
    path.chmod(0o644)
    write_private(path, "yeni")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["gizli"]
