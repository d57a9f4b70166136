"""Row-level security alone, with the filter of every statement taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import ProgrammingError

from docrag.api import Access
from docrag.store import Store, make_engine
from docrag.store.approle import APP_ROLE
from docrag.store.sessions import Sessions

from .conftest import ADMIN, Library, spread
from .shelf import PATHS, SEEN, SHELF, Path, Shelf, fill

#: The role filter as it is sent, whoever wrote it: "allowed_roles && " and a parameter.
FILTER = re.compile(r"((?:\w+\.)?allowed_roles) && CAST\(%\(\w+\)s(?:::\w+(?:\[\])?)? AS \w+\[\]\)")
WALLED = ("documents", "chunks", "embeddings", "pages", "ingest_jobs", "document_roles",
          "document_files")  # fmt: skip
CLOSED = ("users", "api_keys", "user_roles", "key_roles", "roles", "identities", "group_roles",
          "login_throttle", "alembic_version")  # fmt: skip


def unfiltered(_c: Any, _u: Any, statement: str, parameters: Any, *_: Any) -> tuple[str, Any]:  # noqa: ANN401 - SQLAlchemy's event
    """The statement with a filter that lets everything through."""
    sent = FILTER.sub(r"\1 && \1", statement)
    assert "allowed_roles && %" not in sent and "allowed_roles && CAST" not in sent
    return sent, parameters


@pytest.fixture(scope="module")
def broken(shared_database_url: str) -> Iterator[Shelf]:
    """The shelf of a store whose statements filter nothing."""
    engine = make_engine(shared_database_url)
    shelf = fill(engine)
    event.listen(engine, "before_cursor_execute", unfiltered, retval=True)
    yield shelf
    engine.dispose()


@pytest.mark.parametrize(("roles", "expected"), SEEN.values(), ids=SEEN)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.__name__)
def test_wall_alone_shows_permitted_only(
    broken: Shelf, path: Path, roles: list[str], expected: set[str]
) -> None:
    assert path(broken, Access.of(roles)) == expected


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.__name__)
def test_without_the_wall_everything_would_leak(
    broken: Shelf, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The filters were really taken out: the test before proves the wall and nothing else."""
    monkeypatch.setattr("docrag.store.sessions.restrict", lambda *_: None)
    assert path(broken, Access.of(["ik"])) == set(SHELF)


@pytest.fixture
def app(library: Library) -> Iterator[Connection]:
    """A transaction as the role of the application, on a database with one document."""
    library.shelve("yıllık izin", roles=["ik"])
    with library.engine.connect() as connection:
        connection.execute(text(f"SET LOCAL ROLE {APP_ROLE}"))
        yield connection


def count(connection: Connection, table: str) -> int:
    return connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0


@pytest.mark.parametrize("table", WALLED)
@pytest.mark.parametrize("roles", [None, "", ",", "yok", "IK", "ik "])
def test_no_fitting_role_shows_nothing(app: Connection, table: str, roles: str | None) -> None:
    if roles is not None:
        app.execute(text("SELECT set_config('docrag.roles', :roles, true)"), {"roles": roles})
    assert count(app, table) == 0


@pytest.mark.parametrize("table", WALLED)
@pytest.mark.parametrize("roles", ["ik", "admin", "yok,ik"])
def test_fitting_role_shows_the_row(app: Connection, table: str, roles: str) -> None:
    app.execute(text("SELECT set_config('docrag.roles', :roles, true)"), {"roles": roles})
    assert count(app, table) == 1


def test_partition_is_closed_to_a_direct_look(app: Connection) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        count(app, "embeddings_s1")


def test_partition_shows_nothing_even_when_granted(app: Connection, library: Library) -> None:
    with library.engine.begin() as owner:
        owner.execute(text(f"GRANT SELECT ON embeddings_s1 TO {APP_ROLE}"))
    app.execute(text("SELECT set_config('docrag.roles', 'ik', true)"))
    assert count(app, "embeddings_s1") == 0


@pytest.mark.parametrize("table", CLOSED)
def test_people_are_closed_to_the_role(app: Connection, table: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        count(app, table)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE answers SET question = 'x'",
        "DELETE FROM answers",
        "TRUNCATE answers",
        "UPDATE documents SET title = 'x'",
        "DELETE FROM documents",
        "UPDATE chunks SET text = 'x'",
        "INSERT INTO document_roles SELECT id, 'ik' FROM documents",
        "INSERT INTO user_roles VALUES (1, 'admin')",
    ],
)
def test_role_changes_nothing(app: Connection, change: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        app.execute(text(change))


def test_every_table_was_decided_on(engine: Engine) -> None:
    """A new table is closed, or named here, with or without a policy."""
    query = text(
        "SELECT relname, relrowsecurity FROM pg_class WHERE relkind IN ('r', 'p')"
        " AND relnamespace = 'public'::regnamespace AND has_table_privilege(:role, oid, 'SELECT')"
    )
    with engine.connect() as connection:
        rows = connection.execute(query, {"role": APP_ROLE}).all()
    readable = {row.relname: row.relrowsecurity for row in rows}
    open_ = dict.fromkeys(("embedding_spaces", "terms", "grams", "postings", "answers"), False)
    assert readable == dict.fromkeys((*WALLED, "feedback"), True) | open_


def whoami(engine: Engine) -> tuple[str | None, str | None]:
    with Sessions(engine).begin() as session:
        row = session.execute(
            text("SELECT current_user, current_setting('docrag.roles', true)")
        ).one()
        return str(row[0]), row[1]


@pytest.mark.parametrize("fails", [False, True])
def test_role_ends_with_the_transaction(database_url: str, fails: bool) -> None:
    """One pooled connection: the next transaction is the owner's and has no roles."""
    engine = make_engine(database_url, pool_size=1)
    owner, _ = whoami(engine)
    try:
        with Sessions(engine).begin(access=ADMIN) as session:
            assert session.scalar(text("SELECT current_user")) == APP_ROLE
            if fails:
                raise KeyError
    except KeyError:
        pass
    assert whoami(engine) == (owner, "")
    engine.dispose()


def test_statistics_count_hidden_documents(library: Library) -> None:
    """BM25 of a caller is that of the whole corpus: equal scores whatever the roles."""
    library.shelve("yıllık izin", roles=["ik"])
    library.shelve("gizli belge burada", "izin yok", roles=["bilgi"])
    scores = [
        {
            item.chunk.text: item.legs[0].score
            for item in library.store.chunks.candidates(
                terms=["izin"], vector=None, access=Access.of([role]), k=5
            )
        }["yıllık izin"]
        for role in ("ik", "admin")
    ]
    assert scores[0] == scores[1] > 0


def test_document_of_hnsw_rank_is_walled(library: Library) -> None:
    """A vector whose copy of the roles is wrong does not open its document."""
    document = library.shelve("yıllık izin", roles=["ik"])
    library.store.roles.create("bilgi")
    with library.engine.begin() as connection:
        connection.execute(text("ALTER TABLE embeddings DISABLE TRIGGER USER"))
        connection.execute(text("UPDATE embeddings SET allowed_roles = '{admin,bilgi}'"))
    found = Store(library.engine, exact_threshold=0).chunks.candidates(
        terms=[], vector=spread("soru"), access=Access.of(["bilgi"]), k=5
    )
    assert found == [] and document.chunks == 1
