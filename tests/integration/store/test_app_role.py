"""How the application's database role comes to be, for logins of every power."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from docrag.api import StoreError
from docrag.store.approle import APP_ROLE, ensure_app_role
from docrag.store.engine import make_engine
from docrag.store.migrate import current, head, upgrade

Login = Callable[[str], str]


@pytest.fixture
def login(empty_database_url: str) -> Iterator[Login]:
    """Make a login with the given attributes that owns the database; its address."""
    owner = create_engine(make_url(empty_database_url), isolation_level="AUTOCOMMIT")
    names: list[str] = []
    database = make_url(empty_database_url).database

    def make(attributes: str) -> str:
        names.append(f"docrag_test_{uuid.uuid4().hex[:8]}")
        with owner.connect() as connection:
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
            connection.execute(
                text(f"CREATE ROLE {names[-1]} LOGIN {attributes} PASSWORD 'x' IN ROLE pg_monitor")
            )
            connection.execute(text(f"ALTER DATABASE {database} OWNER TO {names[-1]}"))
        url = make_url(empty_database_url).set(username=names[-1], password="x")  # noqa: S106 - a test's
        return url.render_as_string(hide_password=False)

    yield make
    with owner.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {database} OWNER TO CURRENT_USER"))
        for name in names:
            connection.execute(text(f"REASSIGN OWNED BY {name} TO CURRENT_USER"))
            connection.execute(text(f"DROP OWNED BY {name}"))
            connection.execute(text(f"DROP ROLE {name}"))
    owner.dispose()


@pytest.fixture
def role(empty_database_url: str) -> Iterator[str]:
    """Name of a role that does not exist; dropped afterwards."""
    name = f"docrag_app_test_{uuid.uuid4().hex[:8]}"
    yield name
    engine = create_engine(make_url(empty_database_url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"DROP ROLE IF EXISTS {name}"))
    engine.dispose()


def ensure(url: str, role: str) -> str:
    """Who one is after becoming the role."""
    engine = make_engine(url)
    try:
        with engine.connect() as connection:
            ensure_app_role(connection, role)
            ensure_app_role(connection, role)  # again, now that it is there
            connection.execute(text(f"SET LOCAL ROLE {role}"))
            return str(connection.scalar(text("SELECT current_user")))
    finally:
        engine.dispose()


def test_login_that_makes_roles_makes_this_one(login: Login, role: str) -> None:
    assert ensure(login("CREATEROLE"), role) == role


def test_login_without_that_power_is_told_what_to_run(login: Login, role: str) -> None:
    with pytest.raises(StoreError, match=f"CREATE ROLE {role} NOLOGIN; GRANT {role} TO"):
        ensure(login("NOCREATEROLE"), role)


@pytest.mark.usefixtures("migrated_template")
def test_login_that_may_not_become_it_is_told_what_to_run(login: Login) -> None:
    with pytest.raises(StoreError, match=f"cannot become {APP_ROLE}; run: GRANT"):
        ensure(login("CREATEROLE"), APP_ROLE)


def test_role_that_sees_everything_is_refused(empty_database_url: str, role: str) -> None:
    engine = make_engine(empty_database_url)
    with engine.connect() as connection:
        connection.execute(text(f"CREATE ROLE {role} BYPASSRLS"))
        with pytest.raises(StoreError, match="sees everything"):
            ensure_app_role(connection, role)
    engine.dispose()


@pytest.mark.usefixtures("migrated_template")
def test_granted_login_migrates_and_reads(login: Login, empty_database_url: str) -> None:
    """Everything works for a login that is no superuser, once an administrator granted the role."""
    url = login("NOCREATEROLE")
    engine = create_engine(make_url(empty_database_url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"GRANT {APP_ROLE} TO {make_url(url).username}"))
    engine.dispose()
    upgrade(url)
    assert current(url) == head()
