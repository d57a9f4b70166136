"""Advisory file locks (`flock`) that the kernel drops when their holder dies."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from docrag.api import StoreUnavailable

if sys.platform != "win32":
    import fcntl

#: Seconds between two attempts at a lock that somebody else holds; short against a warm start.
POLL = 0.05


def open_private(path: Path, flags: int) -> int:
    """Open or create a file that only its owner can read.

    As root, a new file gets the owner of its folder, so that a folder of a normal user stays his
    after root has worked in it.

    :param path: the file; a symbolic link in its place is refused.
    :param flags: the flags of `os.open`; `O_CREAT` is added.
    :returns: a descriptor that programs started later do not inherit.
    :raises OSError: the file cannot be opened.
    """
    descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


def make_folder(path: Path, mode: int = 0o777) -> list[Path]:
    """Make a folder and the missing ones above it.

    As root, each gets the owner of the folder that it is made in, see :func:`open_private`.

    :param mode: mode bits of `path` before the umask; those above it get 0777.
    :returns: the folders that were made, the highest first.
    :raises OSError: one cannot be made, or there is something else of this name.
    """
    made = [folder for folder in (path, *path.parents) if not folder.exists()][::-1]
    path.mkdir(mode=mode, parents=True, exist_ok=True)
    if os.geteuid() == 0:
        for folder in made:
            owner = folder.parent.stat()
            os.chown(folder, owner.st_uid, owner.st_gid)
    return made


class FileLock:
    """One holder's grip on a lock file, exclusive or shared.

    A fork copies the grip: the lock lasts until every copy is dropped (`drop`) or its process
    dies, or until one copy ends it for all (`release`). Not thread-safe.

    :param path: the lock file; made with mode 0600 when missing, never removed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    @property
    def held(self) -> bool:
        """Whether this process has a grip on the lock."""
        return self._descriptor >= 0

    def fileno(self) -> int:
        """Return the descriptor of a held lock, for a program that shall inherit it.

        :returns: the descriptor; -1 when the lock is not held.
        """
        return self._descriptor

    def acquire(self, *, shared: bool = False, timeout: float = 0.0) -> bool:
        """Take the lock.

        :param shared: take it beside other shared holders instead of alone.
        :param timeout: seconds to wait for the others; 0 tries once.
        :returns: whether the lock is held now; true when it was held before.
        :raises StoreUnavailable: this system has no `flock` (Windows).
        :raises OSError: the lock file cannot be opened.
        """
        if self.held:
            return True
        if sys.platform == "win32":
            raise StoreUnavailable("the embedded database needs file locks; set DATABASE_URL")
        mode = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
        descriptor = open_private(self._path, os.O_RDWR)
        deadline = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(descriptor, mode)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    return False
                time.sleep(POLL)
            else:
                self._descriptor = descriptor
                return True

    def release(self) -> None:
        """End the lock for this process and for every forked copy of this grip."""
        if self.held and sys.platform != "win32":
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        self.drop()

    def drop(self) -> None:
        """Let go in this process only; forked copies keep the lock. Twice is harmless."""
        if self.held:
            os.close(self._descriptor)
            self._descriptor = -1
