from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from docrag.store.filelock import FileLock, open_private

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kilit"


def test_exclusive_lock_keeps_others_out(path: Path) -> None:
    first, second = FileLock(path), FileLock(path)
    assert first.acquire()
    assert not second.acquire(timeout=0.1)
    first.release()
    assert second.acquire()
    second.release()


def test_shared_locks_go_together_but_not_with_an_exclusive_one(path: Path) -> None:
    users = [FileLock(path), FileLock(path)]
    assert all(user.acquire(shared=True) for user in users)
    assert not FileLock(path).acquire()
    for user in users:
        user.drop()
    last = FileLock(path)
    assert last.acquire()
    last.release()


def test_lock_is_taken_once(path: Path) -> None:
    lock = FileLock(path)
    assert lock.acquire() and lock.acquire()
    lock.release()
    lock.release()
    assert not lock.held


@pytest.mark.parametrize(("end", "free"), [("drop", False), ("release", True)])
def test_copy_keeps_a_dropped_lock_but_not_a_released_one(path: Path, end: str, free: bool) -> None:
    lock, other = FileLock(path), FileLock(path)
    lock.acquire()
    copy = os.dup(lock.fileno())  # As a fork does.
    getattr(lock, end)()
    assert other.acquire() is free
    other.drop()
    os.close(copy)


def test_lock_file_is_private(path: Path) -> None:
    lock = FileLock(path)
    lock.acquire()
    lock.release()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_private_file_is_no_symbolic_link(tmp_path: Path, path: Path) -> None:
    path.symlink_to(tmp_path / "başka")
    with pytest.raises(OSError, match="symbolic"):
        open_private(path, os.O_RDWR)
