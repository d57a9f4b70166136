"""Transactions whose database errors are docrag's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from docrag.api import Access, StoreError, StoreUnavailable
from docrag.store.approle import restrict

#: Has the transaction not wait for the disk: for notes that a crash of the server may lose, since
#: the work that they tell of is then done again.
NO_WAIT = text("SET LOCAL synchronous_commit = off")
#: SQLSTATE prefixes of a server that is away, full, or shutting down; 57014 (a cancelled query) is
#: not one of them. See the PostgreSQL manual, appendix A.
_AWAY = ("08", "53", "57P")


class Sessions:
    """Opens sessions on one engine; the only way that the store reaches the database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def begin(self, *, snapshot: bool = False, access: Access | None = None) -> Iterator[Session]:
        """A session in one transaction: committed at the end, rolled back on any error.

        :param snapshot: all statements see the same state (``REPEATABLE READ``).
        :param access: read for a caller: row-level security hides what this access may not read,
            and nothing but an audit row can be written. Without it, the owner sees everything.
        :raises StoreUnavailable: the database cannot be reached.
        :raises StoreError: the database refused a statement.
        """
        with (
            database_errors(self.engine),
            Session(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            if snapshot:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            if access is not None:
                restrict(session, access)
            yield session

    @contextmanager
    def single(self) -> Iterator[Connection]:
        """A connection on which each statement is a transaction by itself, committed at once.

        For what one statement reads in each request: it spares the round trips of ``BEGIN`` and
        ``COMMIT`` and the upkeep of a session. It sees everything, as the owner does.

        :raises StoreUnavailable: the database cannot be reached.
        :raises StoreError: the database refused a statement.
        """
        with database_errors(self.engine), self._autocommit.connect() as connection:
            yield connection


@contextmanager
def database_errors(engine: Engine) -> Iterator[None]:
    """Turn the driver's errors into docrag's, with nothing of the data in them.

    :raises StoreUnavailable: the database cannot be reached.
    :raises StoreError: anything else that the database refused.
    """
    try:
        yield
    except PoolTimeout as exc:
        raise StoreUnavailable("all database connections are busy; try again") from exc
    except UnicodeEncodeError:
        raise StoreError("text with half a surrogate pair cannot be stored") from None
    except (DBAPIError, psycopg.Error) as exc:
        # Not "from exc": the driver's message quotes the refused row, that is document text.
        raise _translated(exc, engine) from None


def constraint_of(exc: DBAPIError) -> str | None:
    """Name of the constraint that refused a row, ``None`` if it was something else."""
    return exc.orig.diag.constraint_name if isinstance(exc.orig, psycopg.Error) else None


def _translated(exc: DBAPIError | psycopg.Error, engine: Engine) -> StoreError:
    """The error of docrag that stands for one of the driver."""
    orig = exc.orig if isinstance(exc, DBAPIError) else exc
    state = orig.sqlstate if isinstance(orig, psycopg.Error) else None
    if isinstance(orig, psycopg.OperationalError | psycopg.InterfaceError) and (
        state is None or state.startswith(_AWAY)
    ):
        url = engine.url
        return StoreUnavailable(
            f"the database {url.database!r} at {url.host or 'localhost'}:{url.port or 5432}"
            " cannot be reached; check that it runs and that this is its address"
        )
    diag = orig.diag if isinstance(orig, psycopg.Error) else None
    place = diag and (diag.constraint_name or diag.table_name)
    return StoreError(
        f"the database refused the change ({type(orig).__name__}, SQLSTATE {state or 'none'}"
        f"{f', {place}' if place else ''})"
    )
