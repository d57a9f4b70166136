"""The operating system's account that the embedded server runs as; never root."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.api import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

if sys.platform != "win32":
    import pwd

logger = logging.getLogger(__name__)

#: Name of the account that is made for the server when docrag runs as root.
ACCOUNT = "docrag"

#: Seconds that one program of PostgreSQL may take; initdb needs 1 to 10 on a busy small machine.
PROGRAM_TIMEOUT = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAccount:
    """Who owns the cluster and runs the server.

    :param user: user id to change to; None runs as the current user.
    :param group: group id to change to; None with `user` None.
    """

    user: int | None = None
    group: int | None = None

    def run(
        self,
        command: Sequence[str | os.PathLike[str]],
        *,
        output: int = subprocess.PIPE,
        inherit: Sequence[int] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Run a program as this account, in a session of its own and without the caller's PG*.

        :param command: an absolute program path and its arguments; no shell reads them.
        :param output: descriptor that takes stdout and stderr; by default they are captured.
        :param inherit: descriptors that the program keeps open.
        :returns: the finished process; check `returncode`.
        :raises OSError: the program cannot be executed by this account.
        :raises StoreUnavailable: it took longer than `PROGRAM_TIMEOUT` seconds, or root may not
            become this account.
        """
        try:
            return subprocess.run(  # noqa: S603 - no shell; the arguments are ours
                [os.fspath(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=tuple(inherit),
                cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
                text=True,
                errors="replace",
                timeout=PROGRAM_TIMEOUT,
                check=False,
                start_new_session=True,
                user=self.user,
                group=self.group,
                extra_groups=None if self.user is None else [],
                umask=0o077,
            )
        except PermissionError as exc:
            if exc.errno != errno.EPERM:  # EACCES: the program is closed to the account.
                raise
            raise StoreUnavailable(
                "root may not become another user here, and PostgreSQL does not run as root; "
                "allow SETUID and SETGID, run docrag as a normal user, or set DATABASE_URL"
            ) from exc
        except subprocess.TimeoutExpired as exc:
            raise StoreUnavailable(
                f"{os.path.basename(command[0])} did not finish in {PROGRAM_TIMEOUT:.0f} seconds; "
                "look at the load and the disk of this machine"
            ) from exc

    def can_enter(self, folder: Path) -> bool:
        """Whether this account may go into a folder.

        :param folder: an existing folder.
        :returns: false when the folder or one above it is closed to the account.
        """
        if self.user is None:
            return os.access(folder, os.X_OK)
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder]).returncode == 0

    def give(self, path: Path) -> None:
        """Make this account the owner of a file or folder; nothing for the current user."""
        if self.user is not None and self.group is not None:
            os.chown(path, self.user, self.group, follow_symlinks=False)


def server_account(data: Path) -> ServerAccount:
    """Choose who runs the server of a cluster.

    The current user, unless that is root: then the owner of the existing cluster, else the user
    whose folder it is made in, else the account `docrag`, which is made with useradd when missing,
    else `nobody`.

    :param data: folder of the cluster; need not exist.
    :returns: the account; it is never root.
    :raises StoreUnavailable: docrag runs as root and there is no other account.
    """
    if os.geteuid() != 0:
        return ServerAccount()
    if data.is_dir() and (owner := data.stat()).st_uid != 0:
        return ServerAccount(user=owner.st_uid, group=owner.st_gid)
    if (user := folder_owner(data)) is not None:
        return user
    for name in (ACCOUNT, "nobody"):
        entry = _entry(name) or (_make(name) if name == ACCOUNT else None)
        if entry is not None and entry.pw_uid != 0:
            return ServerAccount(user=entry.pw_uid, group=entry.pw_gid)
    raise StoreUnavailable(
        "PostgreSQL does not run as root, and there is neither useradd nor a user 'nobody'; "
        "run docrag as a normal user or set DATABASE_URL"
    )


def folder_owner(path: Path) -> ServerAccount | None:
    """The normal user in whose folder something is or will be made.

    :param path: need not exist; the nearest folder above it that does decides.
    :returns: `None` when that folder is root's, or its owner has no entry in the user database,
        without which PostgreSQL does not run.
    """
    nearest = next(folder for folder in (path, *path.parents) if folder.exists()).stat()
    try:
        entry = pwd.getpwuid(nearest.st_uid)
    except KeyError:
        return None
    return ServerAccount(user=entry.pw_uid, group=entry.pw_gid) if entry.pw_uid else None


def _entry(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _make(name: str) -> pwd.struct_passwd | None:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        return None
    options = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    done = ServerAccount().run([useradd, *options, "--shell", "/usr/sbin/nologin", name])
    if done.returncode == 0:
        logger.info("made the system user %s", name, extra={"action": "embedded.account"})
    # A failed useradd may have lost a race against another process that made the same user.
    return _entry(name)
