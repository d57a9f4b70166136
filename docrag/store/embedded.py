"""The embedded PostgreSQL: a server of our own that lives as long as somebody uses it."""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import secrets
import stat
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from docrag.api import StoreError, StoreUnavailable
from docrag.store.account import folder_owner
from docrag.store.cluster import Cluster
from docrag.store.filelock import FileLock, make_folder, open_private
from docrag.store.initdb import NAME
from docrag.store.ports import HOST
from docrag.store.postmaster import stop_server

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

#: Seconds to wait while another process makes, starts or stops the server.
LOCK_TIMEOUT = 300.0

#: Where clusters go when docrag runs as root and the instance folder is closed to other users.
ROOT_PLACE = Path("/var/lib/docrag")
#: File of the instance folder that names the cluster's folder when that is elsewhere.
POINTER = "postgres-folder"


def default_data_dir(instance: Path) -> Path:
    """Choose the cluster's folder for an instance folder.

    `INSTANCE/postgres`; but as root, when a folder above it is closed to the owner of INSTANCE, and
    to other users if that is root (PostgreSQL never runs as root), `/var/lib/docrag/HASH`, where
    HASH are the first 12 hex digits of the SHA-256 of the instance folder's resolved path. An
    existing cluster below INSTANCE stays the choice whatever its folders' modes are, and so does
    the folder that the file `INSTANCE/postgres-folder` names. Nothing is made or changed.

    :param instance: the instance folder; need not exist.
    :returns: the folder for `Embedded`.
    :raises StoreUnavailable: the instance folder is closed to this user.
    """
    with _folder_errors():
        return _default_data_dir(instance.resolve())


def has_cluster(instance: Path) -> bool:
    """Whether an instance folder has a cluster already.

    :raises StoreUnavailable: the instance folder is closed to this user.
    """
    with _folder_errors():
        return (default_data_dir(instance) / "pg").exists()


def _default_data_dir(instance: Path) -> Path:
    if (pointer := instance / POINTER).is_file():
        return Path(pointer.read_text("utf-8").strip())
    if (instance / "postgres" / "pg").exists():
        return instance / "postgres"
    chain = [folder for folder in (instance, *instance.parents) if folder.exists()]
    if sys.platform == "win32" or os.geteuid() != 0:
        return instance / "postgres"
    owner = folder_owner(instance)
    if all(_is_open(folder.stat(), owner.user if owner else None) for folder in chain):
        return instance / "postgres"
    return ROOT_PLACE / hashlib.sha256(os.fsencode(instance)).hexdigest()[:12]


def _is_open(folder: os.stat_result, user: int | None) -> bool:
    # Whether a user may go into a folder, his groups left out; None is one who owns nothing.
    mine = folder.st_uid == user and folder.st_mode & stat.S_IXUSR
    return bool(mine or folder.st_mode & stat.S_IXOTH)


def remember_data_dir(instance: Path, data_dir: Path) -> None:
    """Keep where the cluster is in the file `INSTANCE/postgres-folder`, if it is elsewhere.

    So the instance folder can be moved, and tells an operator what else to back up.

    :param data_dir: what `default_data_dir` chose.
    """
    if data_dir.parent != instance.resolve():
        make_folder(instance)
        (instance / POINTER).write_text(f"{data_dir}\n", "utf-8")


class Embedded:
    """A PostgreSQL with pgvector below a folder, shared by all processes that name the folder.

    The first process to come makes and starts the server, the last one to leave stops it. Who is
    there is told by shared locks on the file `users`: the kernel drops them when a process dies
    in whatever way, so a user killed with -9 is not counted, and the next one to leave stops the
    server. The server does not die with the process that started it.

    The role `docrag` owns the database `docrag` and is the superuser of this cluster, so that
    migrations can run CREATE EXTENSION and tests CREATE DATABASE; row-level security needs a
    second role. The server listens on 127.0.0.1 alone, with a random password (SCRAM) that is
    kept in the file `password`, mode 0600; there is no Unix socket. As root the server runs as
    the user in whose folder the cluster is made, who owns it then; in a folder of root as the user
    `docrag` (made when missing) or `nobody`.

    Thread-safe. After a fork parent and child each count as a user; a child may call `ensure`
    again. Not for Windows: there, set DATABASE_URL.

    :param data_dir: folder of the cluster, of which nothing else may make use; made when missing.
        As root, it is opened (mode bit x) to other users, and folders above it must be open.
    :param listen_port: TCP port for a server that has to be started; None remembers the last one
        and takes a free one when that is taken.
    """

    def __init__(self, data_dir: Path, *, listen_port: int | None = None) -> None:
        self._home = Path(os.path.abspath(data_dir))
        self._listen_port = listen_port
        self._user = FileLock(self._home / "users")
        self._mutex = threading.RLock()
        self._pid = os.getpid()

    def ensure(self) -> str:
        """Return the URL of the running server, starting it when needed; counts this process.

        Cheap on a running server (one connection, about 30 ms); seconds on the first call ever.

        :returns: `postgresql+psycopg://docrag:PASSWORD@127.0.0.1:PORT/docrag`.
        :raises StoreError: the data do not fit the installed PostgreSQL or the password.
        :raises StoreUnavailable: there is no PostgreSQL with pgvector for this platform, the
            folder cannot be used, or the server does not start; the message says what to do.
        """
        if sys.platform == "win32":
            raise StoreUnavailable(
                "the embedded database does not run on Windows: set DATABASE_URL"
            )
        with self._own_mutex(), _folder_errors():
            self._make_home()
            with self._locked():
                return self._join()

    def release(self) -> None:
        """Leave; the last user to leave stops the server. Runs at exit too; twice is harmless.

        :raises StoreUnavailable: the server does not stop.
        """
        with self._own_mutex(), _folder_errors():
            if not self._user.held:
                return
            atexit.unregister(self._leave_at_exit)
            if not self._home.is_dir():  # Deleted with its data; the server notices by itself.
                self._user.drop()
                return
            everybody = FileLock(self._home / "users")
            with self._locked():
                self._user.drop()
                if everybody.acquire():
                    everybody.release()
                    stop_server(self._home / "pg")

    def stop(self) -> None:
        """Stop the server for everybody, whoever uses it; the next `ensure` starts it again.

        :raises StoreUnavailable: the server does not stop.
        """
        with self._own_mutex(), _folder_errors():
            if self._home.is_dir():
                with self._locked():
                    stop_server(self._home / "pg")

    def _join(self) -> str:
        joined = self._user.held
        self._user.acquire(shared=True, timeout=LOCK_TIMEOUT)
        try:
            password = self._password()
            port = Cluster(self._home, password=password).serve(self._listen_port)
        except BaseException:
            if not joined:
                self._user.drop()
            raise
        if not joined:
            atexit.register(self._leave_at_exit)
        return f"postgresql+psycopg://{NAME}:{password}@{HOST}:{port}/{NAME}"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # One process at a time makes, starts, stops or counts. `release` ends the lock for a
        # copy too, which a fork in another thread may have made in the meantime.
        lock = FileLock(self._home / "lock")
        if not lock.acquire(timeout=LOCK_TIMEOUT):
            raise StoreUnavailable(
                f"another process has been busy with the embedded database for {LOCK_TIMEOUT:.0f}"
                " seconds; end it and try again"
            )
        try:
            yield
        finally:
            lock.release()

    def _own_mutex(self) -> threading.RLock:
        # A fork while another thread was in here leaves the child with a lock that nobody frees.
        if self._pid != os.getpid():
            self._mutex, self._pid = threading.RLock(), os.getpid()
        return self._mutex

    def _make_home(self) -> None:
        made = make_folder(self._home, 0o700)
        if os.geteuid() == 0 and self._home.stat().st_uid == 0:
            for folder in {self._home, *made}:
                folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IXGRP | stat.S_IXOTH)

    def _password(self) -> str:
        path = self._home / "password"
        if path.exists():
            return path.read_text().strip()
        if (self._home / "pg" / "global" / "pg_control").exists():
            raise StoreError(
                "the file 'password' of the embedded database is gone; bring it back, "
                "or move the folder away to begin with an empty database"
            )
        password, fresh = secrets.token_urlsafe(24), path.with_name("password.new")
        with open(open_private(fresh, os.O_WRONLY | os.O_TRUNC), "w") as file:
            file.write(password + "\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
        return password

    def _leave_at_exit(self) -> None:
        try:
            self.release()
        except StoreError as exc:
            logger.warning("left a server: %s", exc, extra={"action": "embedded.left"})


@contextmanager
def _folder_errors() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        reason = exc.strerror or type(exc).__name__
        raise StoreUnavailable(
            f"the folder of the embedded database cannot be used: {reason}; "
            "look at its owner and at the disk, or set DATABASE_URL"
        ) from exc
