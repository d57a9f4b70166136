from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path

import pytest

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


def test_text_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (path := tmp_path / "gizli").write_text("eski")
    with pytest.raises(ValueError, match="surrogates"):
        write_private(path, "parola \ud800")
    assert path.read_text() == "eski"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_failure_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: type[BaseException]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises(error):
        write_private(tmp_path / "gizli", "parola")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="NEEDS ROOT: files change their owner")
def test_private_file_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    nobody = pwd.getpwnam("nobody").pw_uid
    os.chown(tmp_path, nobody, -1)
    write_private(tmp_path / "alt" / "gizli", "x")
    assert (tmp_path / "alt" / "gizli").stat().st_uid == nobody
