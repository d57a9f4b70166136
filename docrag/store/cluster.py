"""One PostgreSQL cluster on disk: made whole or not at all, started, probed and stopped."""

from __future__ import annotations

import logging
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from docrag.api import StoreError, StoreUnavailable
from docrag.store.account import server_account
from docrag.store.filelock import POLL, FileLock, open_private
from docrag.store.initdb import NAME, make_cluster
from docrag.store.pgbinaries import find_binaries, reachable_binaries
from docrag.store.ports import HOST, free_port, port_is_free
from docrag.store.postmaster import read_postmaster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from docrag.store.account import ServerAccount
    from docrag.store.pgbinaries import PgBinaries

logger = logging.getLogger(__name__)

#: Seconds until a server that lives must answer; recovery after a crash replays up to 1 GB of log.
START_TIMEOUT = 120.0

#: Seconds that children may outlive a killed postmaster, which they notice between two statements.
ORPHAN_TIMEOUT = 30.0

#: Bytes after which the log file is put aside at the next start; one old file is kept.
LOG_LIMIT = 5_000_000

#: Said when the lock of a server is held and no such server is in sight: to start a second one on
#: the same data would destroy them.
ORPHANS = (
    "processes of a former server, or a server in another container, still use the data of the "
    "embedded database; end them and try again"
)


class Cluster:
    """A cluster in its folder; the caller holds the folder's exclusive lock around every call.

    :param home: folder of the cluster: `pg/` (data), `server.log`, `port`, `running` (lock that
        the server itself holds).
    :param password: password of the role `docrag`.
    """

    def __init__(self, home: Path, *, password: str) -> None:
        self._home = home
        self._data = home / "pg"
        self._password = password

    def serve(self, listen_port: int | None = None) -> int:
        """Return the port of the running server, making and starting it when needed.

        :param listen_port: TCP port for a server that has to be started; None takes the one of
            last time, or a free one when that is taken.
        :returns: the port that answers; another than `listen_port` when the server ran already.
        :raises StoreError: the data do not fit the programs or the password.
        :raises StoreUnavailable: the server does not start or does not answer.
        """
        port = self._running_port()
        if port is not None:
            return port
        account = server_account(self._data)
        binaries = reachable_binaries(find_binaries(), account, self._home)
        with self._running_lock() as running:
            make_cluster(
                self._home,
                binaries=binaries,
                account=account,
                password=self._password,
                running=running,
            )
        return self._start(binaries, account, listen_port)

    @contextmanager
    def _running_lock(self) -> Iterator[FileLock]:
        # Held by every process that works on the data, which inherits it and keeps it.
        running = FileLock(self._home / "running")
        if not running.acquire(timeout=ORPHAN_TIMEOUT):
            raise StoreUnavailable(ORPHANS)
        try:
            yield running
        finally:
            running.drop()

    def _running_port(self) -> int | None:
        # The port once the server answers; None when no process of it is left.
        end = time.monotonic() + START_TIMEOUT
        orphans_end = time.monotonic() + ORPHAN_TIMEOUT
        while time.monotonic() < end:
            postmaster = read_postmaster(self._data)
            if postmaster is not None and postmaster.alive():
                if self._answers(postmaster.port):
                    return postmaster.port
            elif self._deserted():
                return None
            elif time.monotonic() > orphans_end:
                raise StoreUnavailable(ORPHANS)
            time.sleep(POLL)
        raise StoreUnavailable(
            f"the embedded server runs but has not answered for {START_TIMEOUT:.0f} seconds; "
            "see server.log in its folder"
        )

    def _deserted(self) -> bool:
        # Whether no process holds the lock that a server and all its children inherit.
        running = FileLock(self._home / "running")
        free = running.acquire(shared=True)
        running.drop()
        return free

    def _answers(self, port: int | None) -> bool:
        # Whether this cluster, and not a stranger on its port, accepts connections.
        if port is None:
            return False
        try:
            with self._connect(port) as connection:
                row = connection.execute(
                    "select current_setting('data_directory'),"
                    " exists (select from pg_database where datname = %s)",
                    [NAME],
                ).fetchone()
                mine = row is not None and os.path.realpath(row[0]) == os.path.realpath(self._data)
                if mine and row is not None and not row[1]:
                    connection.execute(f"create database {NAME}")
                return mine
        except psycopg.OperationalError as exc:
            if "too many clients" in str(exc):
                return True  # It lives, and the caller has seen that its process is ours.
            if "password authentication failed" in str(exc):
                raise StoreError(
                    "the embedded server refuses the password in its folder; "
                    "bring back the file 'password' that belongs to this cluster"
                ) from exc
            return False

    def _connect(self, port: int) -> psycopg.Connection[tuple[str, bool]]:
        # hostaddr: PGHOSTADDR in the environment would win over host. require_auth: a stranger
        # on the port must not get the password by asking for it in clear.
        newer = psycopg.pq.version() >= 160000
        return psycopg.connect(
            host=HOST,
            hostaddr=HOST,
            port=port,
            user=NAME,
            password=self._password,
            dbname="postgres",
            sslmode="disable",
            gssencmode="disable",
            connect_timeout=5,
            autocommit=True,
            require_auth="scram-sha-256" if newer else None,
        )

    def _start(self, binaries: PgBinaries, account: ServerAccount, listen_port: int | None) -> int:
        for _ in range(3):
            # No process of this cluster is left (see _running_port), whatever the file says.
            (self._data / "postmaster.pid").unlink(missing_ok=True)
            port = listen_port or self._choose_port()
            if not port_is_free(port):
                raise StoreUnavailable(
                    f"port {port} is taken by another program; free it or let docrag choose"
                )
            self._launch(port, binaries, account)
            if self._running_port() is not None:
                self._remember(port)
                logger.info("embedded server on %d", port, extra={"action": "embedded.start"})
                return port
        raise StoreUnavailable(
            f"the embedded server does not start: {self._reason()}; see server.log in its folder"
        )

    def _launch(self, port: int, binaries: PgBinaries, account: ServerAccount) -> None:
        # The shell leaves the server to init, so that it is nobody's child here: gunicorn would
        # reap it as a worker of its own.
        options = [f"port={port}", f"listen_addresses={HOST}", "unix_socket_directories="]
        command: list[str | os.PathLike[str]] = [
            *("/bin/sh", "-c", '"$@" &', "sh"),
            binaries.bin / "postgres",
            "-D",
            self._data,
            *(part for option in options for part in ("-c", option)),
        ]
        log = open_private(self._rotated_log(), os.O_WRONLY | os.O_APPEND)
        try:
            with self._running_lock() as running:
                account.run(command, output=log, inherit=[running.fileno()])
        finally:
            os.close(log)

    def _choose_port(self) -> int:
        try:
            port = int((self._home / "port").read_text())
        except (FileNotFoundError, ValueError):
            return free_port()
        return port if port_is_free(port) else free_port()

    def _remember(self, port: int) -> None:
        with open(open_private(self._home / "port", os.O_WRONLY | os.O_TRUNC), "w") as file:
            file.write(f"{port}\n")

    def _rotated_log(self) -> Path:
        log = self._home / "server.log"
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.replace(self._home / "server.log.1")
        return log

    def _reason(self) -> str:
        text = (self._home / "server.log").read_text(errors="replace")
        fatal = [line for line in text.splitlines() if "FATAL" in line]
        return fatal[-1].replace(str(self._home), "…") if fatal else "no reason given"
