"""Clusters and processes that use them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docrag.store.embedded import Embedded
from docrag.store.postmaster import Postmaster, read_postmaster

PROGRAMS = Path(__file__).parent / "programs"


def program_environment(**more: str) -> dict[str, str]:
    paths = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


class Server:
    """What a test asks about the server of a cluster."""

    def __init__(self, home: Path) -> None:
        self.home = home

    @property
    def postmaster(self) -> Postmaster:
        found = read_postmaster(self.home / "pg")
        assert found is not None
        return found

    @property
    def runs(self) -> bool:
        found = read_postmaster(self.home / "pg")
        return found is not None and found.alive()

    def starts(self) -> int:
        return (self.home / "server.log").read_text().count("starting PostgreSQL")


class User:
    """A process that uses a cluster until it leaves or is killed."""

    def __init__(self, home: Path, option: str, program: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, PROGRAMS / program, home, option],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=program_environment(),
        )

    def ask(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("ensure\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ensure(self) -> str:
        self.ask()
        return self.answer()

    def leave(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(60)

    def kill(self) -> None:
        self.process.kill()
        self.leave()


Spawn = Callable[..., User]


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that the server's account can enter, which root's own tmp_path is not."""
    folder = Path(tempfile.mkdtemp(prefix="docrag-embedded-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def made_cluster(open_folder: Path) -> Path:
    """A cluster that is made once for all tests; stopped."""
    home = open_folder / "cluster"
    embedded = Embedded(home)
    embedded.ensure()
    embedded.release()
    return home


@pytest.fixture
def server(made_cluster: Path) -> Iterator[Server]:
    """The shared cluster, stopped before and after the test."""
    yield Server(made_cluster)
    Embedded(made_cluster).stop()


@pytest.fixture
def fresh(open_folder: Path) -> Iterator[Server]:
    """A cluster that is not made yet, in a folder with a blank and Turkish letters."""
    home = open_folder / f"Veri tabanı İıŞş {time.time_ns()}"
    yield Server(home)
    Embedded(home).stop()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Start processes that use a cluster; those left over are killed."""
    users: list[User] = []

    def start(home: Path, option: str = "", program: str = "user_process.py") -> User:
        users.append(User(home, option, program))
        return users[-1]

    yield start
    for user in users:
        if user.process.poll() is None:
            user.kill()


@pytest.fixture
def environment() -> Callable[..., dict[str, str]]:
    """The environment of a program that imports docrag from this tree, with more variables."""
    return program_environment
