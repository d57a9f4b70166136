"""The schema's versions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, text

from docrag.api import StoreError, StoreUnavailable
from docrag.store import Store, make_engine
from docrag.store.migrate import current, downgrade, head, upgrade
from docrag.store.partitions import is_partition
from docrag.store.tables import Base

from .conftest import Library

COLUMNS = """
    SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        pg_get_expr(d.adbin, d.adrelid), a.attidentity::text, c.reloptions
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
        AND c.relname <> 'alembic_version'
    ORDER BY c.relname, a.attnum
"""
CONSTRAINTS = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND conrelid <> 'alembic_version'::regclass
    ORDER BY 1, 2
"""
INDEXES = """
    SELECT indexname, indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND tablename <> 'alembic_version' ORDER BY 1
"""
TRIGGERS = """
    SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2
"""


def rows(engine: Engine, query: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


@pytest.fixture
def described(empty_database_url: str) -> Iterator[Engine]:
    """A database made from the metadata instead of the migrations."""
    engine = make_engine(empty_database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE EXTENSION vector"))
        connection.execute(text("CREATE TABLE alembic_version ()"))
        Base.metadata.create_all(connection)
    yield engine
    engine.dispose()


@pytest.mark.parametrize(
    "query", [COLUMNS, CONSTRAINTS, INDEXES], ids=["columns", "constraints", "indexes"]
)
def test_migrations_make_what_metadata_describe(
    engine: Engine, described: Engine, query: str
) -> None:
    assert rows(engine, query) == rows(described, query)


def test_autogenerate_finds_no_difference(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_autogenerate_leaves_partitions_alone(engine: Engine, store: Store) -> None:
    store.spaces.ensure(model_id="m", dim=3, chunking="c")
    options = {
        "include_name": lambda name, kind, _: not (kind == "table" and is_partition(name)),
    }
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []


def test_triggers_exist(engine: Engine) -> None:
    assert rows(engine, TRIGGERS) == [
        ("chunks", "chunks_gone"),
        ("chunks", "chunks_roles"),
        ("chunks", "chunks_stay"),
        ("document_grams", "document_grams_counted"),
        ("document_roles", "document_roles_deleted"),
        ("document_roles", "document_roles_inserted"),
        ("document_roles", "document_roles_updated_from"),
        ("document_roles", "document_roles_updated_to"),
        ("document_terms", "document_terms_counted"),
        ("documents", "documents_propagate_roles"),
        ("documents", "documents_roles"),
        ("embeddings", "embeddings_roles"),
        ("postings", "postings_added"),
        ("postings", "postings_changed"),
        ("roles", "roles_protect_admin"),
        ("roles", "roles_retired"),
    ]


def test_downgrade_leaves_nothing(engine: Engine, store: Store) -> None:
    store.spaces.ensure(model_id="m", dim=3, chunking="c")
    downgrade(engine, "base")
    assert (rows(engine, COLUMNS), rows(engine, TRIGGERS)) == ([], [])


def test_upgrade_works_again_after_downgrade(engine: Engine) -> None:
    before = rows(engine, TRIGGERS) + rows(engine, CONSTRAINTS) + rows(engine, COLUMNS)
    downgrade(engine, "base")
    upgrade(engine)
    assert rows(engine, TRIGGERS) + rows(engine, CONSTRAINTS) + rows(engine, COLUMNS) == before


def test_downgrade_drops_keys_that_would_open_more(engine: Engine, store: Store) -> None:
    """A narrowed key and a front end's key would become plain keys with all of the user's roles."""
    store.roles.create("ik")
    store.users.create("ayşe", password_hash="özet", roles=["ik"])
    kinds: dict[str, dict[str, Any]] = {
        "düz": {},
        "dar": {"roles": ["ik"]},
        "kapı": {"kind": "frontend", "method": "jwt"},
    }
    for name, values in kinds.items():
        digest = hashlib.sha256(name.encode()).digest()
        store.keys.create(username="ayşe", name=name, key_hash=digest, prefix=name, **values)
    downgrade(engine, "0003")
    assert rows(engine, "SELECT name FROM api_keys") == [("düz",)]


def test_partition_of_before_is_closed_by_the_upgrade(engine: Engine, store: Store) -> None:
    store.spaces.ensure(model_id="m", dim=3, chunking="c")
    downgrade(engine, "0004")
    upgrade(engine, "0005")
    walled = "SELECT relname FROM pg_class WHERE relrowsecurity AND relname = 'embeddings_s1'"
    assert rows(engine, walled) == [("embeddings_s1",)]


def test_documents_of_before_are_indexed_anew(engine: Engine, library: Library) -> None:
    """Their text is indexed below its headings now; the files are still there."""
    document = library.shelve("yıllık izin")
    downgrade(engine, "0006")
    upgrade(engine)
    assert rows(engine, "SELECT state FROM documents") == [("queued",)]
    waiting = "SELECT j.state FROM ingest_jobs j JOIN documents d ON d.id = j.document_id"
    assert ("queued",) in rows(engine, waiting)
    assert library.store.spaces.active() is None
    assert library.store.documents.file(document.id)


def test_upgrades_at_once_wait_for_each_other(empty_database_url: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(upgrade, [empty_database_url] * 3))
    assert current(empty_database_url) == head()


def test_upgrade_again_changes_nothing(database_url: str) -> None:
    upgrade(database_url)
    assert current(database_url) == head()


def test_current_is_none_without_schema(empty_database_url: str) -> None:
    assert current(empty_database_url) is None


def test_upgrade_says_when_database_is_away() -> None:
    with pytest.raises(StoreUnavailable):
        upgrade("postgresql://docrag:secret@127.0.0.1:1/docrag")


def test_unmigrated_database_is_a_store_error(empty_database_url: str) -> None:
    store = Store(make_engine(empty_database_url))
    with pytest.raises(StoreError, match="UndefinedTable"):
        store.is_empty()
    store.close()


def test_database_of_a_newer_docrag_is_a_store_error(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"migrated by a newer docrag \(its schema is 9999"):
        upgrade(engine)
    assert current(engine) == "9999"


def test_keys_of_before_show_citations_by_themselves(engine: Engine, store: Store) -> None:
    store.users.create("ayşe", password_hash="özet", roles=[])
    digest = hashlib.sha256(b"dk-1").digest()
    store.keys.create(username="ayşe", name="düz", key_hash=digest, prefix="dk", citations="footer")
    downgrade(engine, "0007")
    upgrade(engine)
    assert [(key.name, key.citations) for key in store.keys.list()] == [("düz", "auto")]
