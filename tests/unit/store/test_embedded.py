from __future__ import annotations

import errno
import os
import pwd
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docrag.api import StoreUnavailable
from docrag.store import account as accounts
from docrag.store.account import ServerAccount, folder_owner, server_account
from docrag.store.embedded import (
    ROOT_PLACE,
    Embedded,
    default_data_dir,
    has_cluster,
    remember_data_dir,
)
from docrag.store.filelock import make_folder
from docrag.store.ports import HOST, free_port, port_is_free

if TYPE_CHECKING:
    from collections.abc import Callable


NOBODY = pwd.getpwnam("nobody")


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="NEEDS ROOT: files change their owner")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may enter, which root's own tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="docrag-test-") as folder:
        yield Path(folder)


@pytest.fixture
def as_user(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    return lambda user: monkeypatch.setattr(os, "geteuid", lambda: user)


def test_default_place_is_below_the_instance(
    tmp_path: Path, as_user: Callable[[int], None]
) -> None:
    as_user(1000)
    assert default_data_dir(tmp_path / "örnek") == tmp_path.resolve() / "örnek" / "postgres"


@needs_root
def test_default_place_is_elsewhere_when_root_and_closed(
    tmp_path: Path, as_user: Callable[[int], None]
) -> None:
    as_user(0)
    tmp_path.chmod(0o700)
    place = default_data_dir(tmp_path)
    assert place.parent == ROOT_PLACE
    assert place == default_data_dir(tmp_path)
    assert place != default_data_dir(tmp_path / "other")


def test_default_place_stays_when_a_cluster_is_there(
    tmp_path: Path, as_user: Callable[[int], None]
) -> None:
    as_user(0)
    (tmp_path / "postgres" / "pg").mkdir(parents=True)
    tmp_path.chmod(0o700)
    assert default_data_dir(tmp_path) == tmp_path.resolve() / "postgres"


def test_constructor_touches_nothing(tmp_path: Path) -> None:
    embedded = Embedded(tmp_path / "veri")
    embedded.release()
    embedded.stop()
    assert list(tmp_path.iterdir()) == []


def test_folder_that_is_a_file_is_an_error_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "dosya").touch()
    with pytest.raises(StoreUnavailable, match="cannot be used") as caught:
        Embedded(tmp_path / "dosya").ensure()
    assert str(tmp_path) not in str(caught.value)


def test_windows_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(StoreUnavailable, match="set DATABASE_URL"):
        Embedded(tmp_path).ensure()


def test_normal_user_runs_the_server(tmp_path: Path, as_user: Callable[[int], None]) -> None:
    as_user(1000)
    assert server_account(tmp_path) == ServerAccount()


@needs_root
def test_root_without_other_accounts_is_an_error(
    tmp_path: Path, as_user: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(0)
    monkeypatch.setattr(accounts, "_entry", lambda name: None)
    monkeypatch.setattr(accounts, "_make", lambda name: None)
    with pytest.raises(StoreUnavailable, match="does not run as root"):
        server_account(tmp_path / "pg")


def test_server_gets_no_variables_of_libpq(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGDATA", "/elsewhere")
    assert "PGDATA" not in ServerAccount().run(["/usr/bin/env"]).stdout


def test_slow_program_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "PROGRAM_TIMEOUT", 0.1)
    with pytest.raises(StoreUnavailable, match="sleep did not finish"):
        ServerAccount().run(["/bin/sleep", "5"])


def test_root_without_setuid_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(subprocess, "run", refuse)
    with pytest.raises(StoreUnavailable, match="allow SETUID"):
        ServerAccount(user=1, group=1).run(["/bin/true"])


def test_free_port_is_free() -> None:
    assert port_is_free(free_port())


def test_port_with_a_listener_is_taken() -> None:
    with socket.create_server((HOST, 0)) as listener:
        assert not port_is_free(listener.getsockname()[1])


def test_cluster_elsewhere_is_remembered_in_the_instance(tmp_path: Path) -> None:
    instance, elsewhere = tmp_path / "instance", tmp_path / "başka yer"
    remember_data_dir(instance, elsewhere)
    assert default_data_dir(instance) == elsewhere
    moved = instance.rename(tmp_path / "taşındı")
    assert default_data_dir(moved) == elsewhere


def test_cluster_inside_the_instance_leaves_no_pointer(tmp_path: Path) -> None:
    remember_data_dir(tmp_path, tmp_path / "postgres")
    assert list(tmp_path.iterdir()) == []


def test_closed_instance_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(type(tmp_path), "is_file", refuse)
    with pytest.raises(StoreUnavailable, match="cannot be used: Permission denied"):
        has_cluster(tmp_path)


@needs_root
@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_root_works_in_the_folder_of_a_user(open_folder: Path, mode: int) -> None:
    open_folder.chmod(mode)
    os.chown(open_folder, NOBODY.pw_uid, NOBODY.pw_gid)
    place = default_data_dir(open_folder / "yeni")
    assert place == open_folder.resolve() / "yeni" / "postgres"
    assert server_account(place / "pg") == ServerAccount(user=NOBODY.pw_uid, group=NOBODY.pw_gid)


@needs_root
def test_place_is_elsewhere_when_the_owner_cannot_enter(tmp_path: Path) -> None:
    (tmp_path / "kapalı" / "instance").mkdir(parents=True)
    (tmp_path / "kapalı").chmod(0o700)
    os.chown(tmp_path / "kapalı" / "instance", NOBODY.pw_uid, NOBODY.pw_gid)
    assert default_data_dir(tmp_path / "kapalı" / "instance").parent == ROOT_PLACE


@needs_root
def test_root_takes_no_owner_without_a_name(tmp_path: Path) -> None:
    os.chown(tmp_path, 54321, 54321)
    assert folder_owner(tmp_path) is None


@needs_root
def test_folders_that_root_makes_belong_to_the_owner(tmp_path: Path) -> None:
    os.chown(tmp_path, NOBODY.pw_uid, NOBODY.pw_gid)
    made = make_folder(tmp_path / "a" / "b")
    assert made == [tmp_path / "a", tmp_path / "a" / "b"]
    assert {folder.stat().st_uid for folder in made} == {NOBODY.pw_uid}
