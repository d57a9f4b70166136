"""What all tests share: a clean environment, and a database of their own for those that ask."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import URL, make_url

from docrag.store import Store, make_engine
from docrag.store.embedded import Embedded
from docrag.store.engine import normalise_url
from docrag.store.migrate import upgrade

#: Address of a server to test on instead of an embedded one; its login must be a superuser.
OUTSIDE = "DOCRAG_TEST_DATABASE_URL"
#: What makes a throw-away server fast.
UNSAFE = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")

_outside = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Take the operator's settings out of the environment before anything reads them."""
    config.stash[_outside] = os.environ.get(OUTSIDE, "")
    for name in list(os.environ):
        if name.startswith(("DOCRAG_", "PG")) or name == "DATABASE_URL":
            del os.environ[name]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first, then those with most: one that starts last must end soon.

    Each worker takes the next file when it is done with one (``--no-loadscope-reorder``). Within a
    file the order stays random.
    """
    sizes = Counter(item.path for item in items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    files = sorted(sizes, key=lambda path: (path not in slow, -sizes[path]))
    places = {path: place for place, path in enumerate(files)}
    items.sort(key=lambda item: places[item.path])


@pytest.fixture(scope="session")
def database_server(request: pytest.FixtureRequest) -> Iterator[URL]:
    """A server whose login may make databases; embedded in a temporary folder by default."""
    if outside := request.config.stash[_outside]:
        yield make_url(normalise_url(outside))
        return
    # Not tmp_path: as root, pytest closes its folders to the account of the server.
    folder = Path(tempfile.mkdtemp(prefix="docrag-tests-"))
    folder.chmod(0o755)
    embedded = Embedded(folder / "postgres")
    url = make_url(embedded.ensure())
    with _admin(url) as connection:
        for setting in UNSAFE:
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")
    yield url
    embedded.release()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def migrated_template(database_server: URL) -> Iterator[str]:
    """Name of a migrated database without connections, to be cloned."""
    name = f"docrag_test_template_{uuid.uuid4().hex[:8]}"
    with _admin(database_server) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
        upgrade(database_server.set(database=name).render_as_string(hide_password=False))
        yield name
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


MakeDatabase = Callable[[str], str]


@contextmanager
def _databases(server: URL) -> Iterator[MakeDatabase]:
    """Make databases from a template by name; they are dropped in the end."""
    made: list[str] = []
    with _admin(server) as connection:

        def make(template: str) -> str:
            name = f"docrag_test_{uuid.uuid4().hex[:12]}"
            made.append(name)
            # Half the time of copying through the log, which a throw-away server does not need.
            how = "STRATEGY FILE_COPY"
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} {how}".encode())
            return server.set(database=name).render_as_string(hide_password=False)

        yield make
        for name in made:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


@pytest.fixture
def make_database(database_server: URL) -> Iterator[MakeDatabase]:
    """Make a database from a template by name; dropped after the test."""
    with _databases(database_server) as make:
        yield make


@pytest.fixture(scope="module")
def shared_database_url(database_server: URL, migrated_template: str) -> Iterator[str]:
    """Address of a migrated database for a whole module, whose tests leave it as it was."""
    with _databases(database_server) as make:
        yield make(migrated_template)


@pytest.fixture
def database_url(make_database: MakeDatabase, migrated_template: str) -> str:
    """Address of a migrated, empty database that only this test uses."""
    return make_database(migrated_template)


@pytest.fixture
def empty_database_url(make_database: MakeDatabase) -> str:
    """Address of a database without a schema that only this test uses."""
    return make_database("template0")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An engine on the database of this test."""
    engine = make_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> Store:
    """A store on the database of this test."""
    return Store(engine)


def _admin(server: URL) -> psycopg.Connection[tuple[object, ...]]:
    """A connection on which databases are made; statements commit at once."""
    address = server.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(address, autocommit=True)
