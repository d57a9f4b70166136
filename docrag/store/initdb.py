"""A new PostgreSQL cluster on disk, whole or not there at all."""

from __future__ import annotations

import logging
import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from docrag.api import StoreError, StoreUnavailable
from docrag.store.filelock import open_private
from docrag.store.ports import HOST

if TYPE_CHECKING:
    from docrag.store.account import ServerAccount
    from docrag.store.filelock import FileLock
    from docrag.store.pgbinaries import PgBinaries

logger = logging.getLogger(__name__)

#: Name of the database and of its owner; the owner is the cluster's superuser.
NAME = "docrag"

#: Written to postgresql.conf once, when the cluster is made; an operator may edit them there.
#: Sizes suit a small server. Client errors are answered but not logged (`log_min_messages = log`
#: leaves out WARNING and ERROR), because their text can quote a document or a question.
#: sysv: containers have a /dev/shm of 64 MB, too small for a parallel index build.
SETTINGS = (
    "shared_buffers=256MB",
    "effective_cache_size=1GB",
    "work_mem=16MB",
    "maintenance_work_mem=256MB",
    "max_connections=100",
    "max_wal_size=1GB",
    "fsync=on",
    "log_min_messages=log",
    "log_min_error_statement=panic",
    "log_error_verbosity=terse",
    "log_checkpoints=off",
    f"dynamic_shared_memory_type={'sysv' if Path('/proc/sys').exists() else 'posix'}",
)

#: pg_hba.conf: password only, this machine only, no socket.
ACCESS_RULES = f"""\
host all all {HOST}/32 scram-sha-256
host replication all {HOST}/32 scram-sha-256
"""


def make_cluster(
    home: Path, *, binaries: PgBinaries, account: ServerAccount, password: str, running: FileLock
) -> None:
    """Make the cluster `home/pg` unless it is there; no server of it may run.

    initdb works in `pg.tmp`, and the name `pg` appears only on a whole cluster. An incomplete
    `pg` is put aside as `pg.broken-TIME`, never deleted.

    :param home: folder of the cluster.
    :param binaries: programs that `account` can execute.
    :param account: owner of the data.
    :param password: password of the superuser `docrag`.
    :param running: held lock that initdb inherits, so that it counts as a process of the cluster
        when this one is killed.
    :raises StoreError: the cluster belongs to another major version of PostgreSQL.
    :raises StoreUnavailable: the folder is closed to the account, or initdb failed.
    """
    data = home / "pg"
    if (data / "PG_VERSION").exists() and (data / "global" / "pg_control").exists():
        _check_version(data, binaries.major)
        return
    if data.exists():
        _put_aside(data)
    half = home / "pg.tmp"
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o700)
    account.give(half)
    if not account.can_enter(half):
        raise StoreUnavailable(
            "docrag runs as root, PostgreSQL runs as another user, and a folder above the "
            "database's folder is closed to that user; choose a place that others may enter, "
            "such as below /var/lib/docrag, or set DATABASE_URL"
        )
    _initdb(half, binaries=binaries, account=account, password=password, running=running)
    with open(open_private(half / "pg_hba.conf", os.O_WRONLY | os.O_TRUNC), "w") as file:
        file.write(ACCESS_RULES)
    half.rename(data)
    logger.info("made a database cluster", extra={"action": "embedded.initdb"})


def _check_version(data: Path, installed: int) -> None:
    major = (data / "PG_VERSION").read_text().strip()
    if major != str(installed):
        raise StoreError(
            f"the cluster was made by PostgreSQL {major}, and PostgreSQL {installed} is "
            f"installed; dump it with version {major} and restore it, or install that version"
        )


def _put_aside(data: Path) -> None:
    aside = data.with_name(f"{data.name}.broken-{time.time_ns()}")
    data.rename(aside)
    logger.warning(
        "put an incomplete cluster aside as %s", aside.name, extra={"action": "embedded.broken"}
    )


def _initdb(
    target: Path, *, binaries: PgBinaries, account: ServerAccount, password: str, running: FileLock
) -> None:
    secret = target.with_name("initdb.password")
    secret.unlink(missing_ok=True)
    with open(open_private(secret, os.O_WRONLY), "w") as file:
        file.write(password)
    account.give(secret)
    command: list[str | os.PathLike[str]] = [
        binaries.bin / "initdb",
        "-D",
        target,
        "--pwfile",
        secret,
        *("-U", NAME, "--auth=scram-sha-256", "--locale=C"),
        *("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        *(part for setting in SETTINGS for part in ("-c", setting)),
    ]
    try:
        done = account.run(command, inherit=[running.fileno()])
    finally:
        secret.unlink(missing_ok=True)
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines()
        reasons = [line for line in lines if "error:" in line or "FATAL" in line] or lines
        reason = reasons[0].replace(str(target.parent), "…") if reasons else "no reason given"
        raise StoreUnavailable(f"initdb failed: {reason}; mend that or set DATABASE_URL")
