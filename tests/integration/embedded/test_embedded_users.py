"""Who starts the server, who keeps it and who stops it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import time
from typing import TYPE_CHECKING

import psycopg
import pytest

from docrag.store.embedded import Embedded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.integration.embedded.conftest import Server, Spawn

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(90)]


def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():  # The timeout of the test ends it.
        time.sleep(0.02)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: all tests here run as a normal user")
def test_normal_users_cluster_stays_his_when_root_uses_it(open_folder: Path, spawn: Spawn) -> None:
    user = pwd.getpwnam("nobody").pw_uid
    home = open_folder / "nobody"
    home.mkdir()
    os.chown(home, user, user)
    process = spawn(home, str(user))
    url = process.ensure()
    assert process.leave() == 0
    root = Embedded(home)
    assert root.ensure() == url
    root.release()
    assert {path.stat().st_uid for path in home.iterdir()} == {user}
    shutil.rmtree(home)


def test_server_outlives_its_starter(server: Server, spawn: Spawn) -> None:
    starter, other = spawn(server.home), spawn(server.home)
    starter.ensure()
    url, pid = other.ensure(), server.postmaster.pid
    starter.leave()
    assert other.ensure() == url
    assert server.postmaster.pid == pid


def test_last_user_stops_the_server_when_another_was_killed(server: Server, spawn: Spawn) -> None:
    killed, other = spawn(server.home), spawn(server.home)
    killed.ensure()
    other.ensure()
    killed.kill()
    assert server.runs
    other.leave()
    assert not server.runs


def test_new_user_adopts_the_server_of_a_dead_one(server: Server, spawn: Spawn) -> None:
    killed = spawn(server.home)
    killed.ensure()
    pid = server.postmaster.pid
    killed.kill()
    user = spawn(server.home)
    user.ensure()
    assert server.postmaster.pid == pid
    user.leave()
    assert not server.runs


@pytest.mark.parametrize("option", ["", "subreaper"])
def test_killed_server_is_started_again(server: Server, spawn: Spawn, option: str) -> None:
    user = spawn(server.home, option)  # A subreaper that does not reap leaves a zombie.
    user.ensure()
    pid = server.postmaster.pid
    os.kill(pid, signal.SIGKILL)
    assert user.ensure().startswith("postgresql+psycopg://")
    assert server.postmaster.pid != pid


def test_five_users_at_once_make_one_server(fresh: Server, spawn: Spawn) -> None:
    users = [spawn(fresh.home) for _ in range(5)]
    for user in users:
        user.ask()
    (url,) = {user.answer() for user in users}
    assert url.endswith(f"@127.0.0.1:{fresh.postmaster.port}/docrag")
    assert fresh.starts() == 1
    assert [user.leave() for user in users] == [0] * 5
    assert not fresh.runs


def test_killed_initdb_is_done_again(fresh: Server, spawn: Spawn) -> None:
    killed = spawn(fresh.home)
    killed.ask()
    wait_until((fresh.home / "pg.tmp" / "PG_VERSION").exists)
    killed.kill()
    user = spawn(fresh.home)
    assert user.ensure().startswith("postgresql+psycopg://")
    user.leave()
    assert not fresh.runs


def test_forked_child_keeps_the_server(server: Server, spawn: Spawn) -> None:
    family = spawn(server.home, program="forking_process.py")
    assert family.process.wait(60) == 0
    psycopg.connect(family.ensure().replace("+psycopg", "")).close()
    family.leave()
    wait_until(lambda: not server.runs)
