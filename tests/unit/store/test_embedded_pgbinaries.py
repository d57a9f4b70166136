from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from docrag.api import StoreUnavailable
from docrag.store.account import ServerAccount
from docrag.store.pgbinaries import PgBinaries, find_binaries, reachable_binaries

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_wheel: None) -> Path:
    """A system whose pg_config tells of PostgreSQL 17 with pgvector."""
    for name in ("bin/postgres", "share/extension/vector.control"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    tell(tmp_path, "PostgreSQL 17.2 (Debian 17.2-1)")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path


def tell(system: Path, version: str) -> None:
    program = system / "bin" / "pg_config"
    program.write_text(f"#!/bin/sh\necho '{system}/bin\n{system}/share\n{version}'\n")
    program.chmod(0o755)


def test_wheel_comes_first() -> None:
    found = find_binaries()
    assert found.package is not None
    assert (found.bin / "initdb").exists()
    assert found.major >= 18


def test_system_is_found_without_the_wheel(system: Path) -> None:
    assert find_binaries() == PgBinaries(bin=system / "bin", major=17)


@pytest.mark.parametrize("name", ["bin/postgres", "share/extension/vector.control"])
def test_system_without_a_part_is_an_error(system: Path, name: str) -> None:
    (system / name).unlink()
    with pytest.raises(StoreUnavailable, match="set DATABASE_URL"):
        find_binaries()


def test_old_system_is_an_error(system: Path) -> None:
    tell(system, "PostgreSQL 15.18")
    with pytest.raises(StoreUnavailable, match="PostgreSQL 15, and 17 or newer is needed"):
        find_binaries()


def test_beta_of_the_system_is_found(system: Path) -> None:
    tell(system, "PostgreSQL 19beta1")
    assert find_binaries().major == 19


def test_broken_pg_config_is_an_error(system: Path) -> None:
    tell(system, "PostgreSQL\nhata")
    with pytest.raises(StoreUnavailable, match="did not answer"):
        find_binaries()


def test_nothing_at_all_is_an_error(
    no_wheel: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreUnavailable, match="set DATABASE_URL"):
        find_binaries()


def test_broken_system_binaries_are_an_error(tmp_path: Path) -> None:
    broken = PgBinaries(bin=tmp_path, major=17)
    with pytest.raises(StoreUnavailable, match="cannot be executed"):
        reachable_binaries(broken, ServerAccount(), tmp_path)


def test_runnable_binaries_are_not_copied(tmp_path: Path) -> None:
    found = find_binaries()
    assert reachable_binaries(found, ServerAccount(), tmp_path) is found
    assert list(tmp_path.iterdir()) == []
