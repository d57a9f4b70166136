"""The schema's version: upgrade, downgrade, and what it is now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from docrag.api import StoreError
from docrag.store.approle import ensure_app_role
from docrag.store.engine import make_engine
from docrag.store.sessions import database_errors

#: Key of the advisory lock that lets one upgrade run at a time; the ASCII codes of "docrag".
LOCK = 0x646F63726167


def upgrade(database: str | Engine, revision: str = "head") -> None:
    """Bring the schema to a revision; processes that do so at once wait for each other.

    :param database: address or engine; its login must own the schema.
    :param revision: Alembic revision, the newest by default.
    :raises StoreUnavailable: the database cannot be reached.
    :raises StoreError: the server refused, for one because it has no pgvector or this login may not
        make the role that reads for callers; or a newer docrag migrated the database.
    """
    with _locked(database) as connection:
        check_known(MigrationContext.configure(connection).get_current_revision())
        ensure_app_role(connection)
        command.upgrade(_config(connection), revision)


def downgrade(database: str | Engine, revision: str) -> None:
    """Take the schema back to a revision, ``base`` for an empty database; data go with it.

    :param database: address or engine; its login must own the schema.
    :raises StoreUnavailable: the database cannot be reached.
    """
    with _locked(database) as connection:
        command.downgrade(_config(connection), revision)


def current(database: str | Engine) -> str | None:
    """The schema's revision; ``None`` for a database without one.

    :raises StoreUnavailable: the database cannot be reached.
    """
    with _connection(database) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def head() -> str | None:
    """The newest revision that this version of docrag has."""
    return ScriptDirectory(str(_scripts())).get_current_head()


def check_known(revision: str | None) -> None:
    """Check that this version of docrag knows a revision; that of an empty database is known.

    :raises StoreError: a newer docrag made it.
    """
    known = {script.revision for script in ScriptDirectory(str(_scripts())).walk_revisions()}
    if revision is not None and revision not in known:
        raise StoreError(
            f"the database was migrated by a newer docrag (its schema is {revision}, this docrag "
            f"knows up to {head()}); install that version, or restore a backup made before"
        )


def check_current(database: str | Engine) -> str:
    """The schema's revision, after a check that it is the one of this version of docrag.

    :raises StoreUnavailable: the database cannot be reached.
    :raises StoreError: it is older or newer, or there is none.
    """
    found, wanted = current(database), head()
    check_known(found)
    if found is None or found != wanted:
        raise StoreError(
            f"the database has {f'the schema {found}' if found else 'no schema yet'}, this docrag "
            f"needs {wanted}; run `docrag migrate`"
        )
    return found


def _scripts() -> Path:
    """Folder of the migration scripts, inside the package or else beside it in the repository."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "migrations", package.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise StoreError("the migration scripts are not installed; install docrag again")


def _config(connection: Connection) -> Config:
    """Alembic's configuration, which env.py reads the connection from."""
    config = Config()
    # The parser reads % as interpolation.
    config.set_main_option("script_location", str(_scripts()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _connection(database: str | Engine) -> Iterator[Connection]:
    """A connection in one transaction; an engine made for it is disposed of afterwards."""
    engine = make_engine(database) if isinstance(database, str) else database
    try:
        with database_errors(engine), engine.begin() as connection:
            yield connection
    finally:
        if isinstance(database, str):
            engine.dispose()


@contextmanager
def _locked(database: str | Engine) -> Iterator[Connection]:
    """The same, while no other process changes the schema."""
    with _connection(database) as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        yield connection
