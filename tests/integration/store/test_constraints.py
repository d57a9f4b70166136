"""What the database itself refuses, whoever writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docrag.store import make_engine
from docrag.store.partitions import create_partition
from docrag.store.records import Space
from docrag.store.sessions import constraint_of

DOCUMENT = (
    "INSERT INTO documents (title, filename, suffix, sha256, size) "
    "VALUES ('t', 'f', 'pdf', repeat('a', 64), 1)"
)
#: A second document, with another content and title.
OTHER = DOCUMENT.replace("'a'", "'c'").replace("'t'", "'o'")
SPACE = "INSERT INTO embedding_spaces (model_id, dim, chunking, state) "
KEY = "INSERT INTO api_keys (user_id, name, key_hash, prefix, kind) SELECT id, "
ANSWER = (
    "INSERT INTO answers (channel, model_id, prompt_id, retriever, abstained, duration_ms,"
    " context_chunk_ids, cited_chunk_ids) VALUES "
)
SEED = (
    DOCUMENT.replace("'a'", "'b'"),
    "INSERT INTO users (username, password_hash) VALUES ('ayşe', 'h')",
    "INSERT INTO ingest_jobs (document_id) SELECT id FROM documents",
    "INSERT INTO chunks (document_id, ordinal, text, n_tokens) SELECT id, 0, 'x', 1 FROM documents",
    "INSERT INTO terms (term) VALUES ('izin')",
)
CHUNK = (
    "INSERT INTO chunks (document_id, ordinal, text, page_first, page_last, n_tokens) SELECT id,"
)
PAGE = "INSERT INTO pages (document_id, ordinal, number, text) SELECT id,"
POSTING = "INSERT INTO postings SELECT t.id, c.id, c.document_id,"

REFUSED = {
    "role with a comma": ("INSERT INTO roles (name) VALUES ('a,b')", "ck_roles_name_form"),
    "role with a quote": ("INSERT INTO roles (name) VALUES ('a''b')", "ck_roles_name_form"),
    "role without a name": ("INSERT INTO roles (name) VALUES ('')", "ck_roles_name_form"),
    "role too long": ("INSERT INTO roles (name) VALUES (repeat('a', 65))", "ck_roles_name_form"),
    "role decomposed": ("INSERT INTO roles (name) VALUES (U&'u\\0308')", "ck_roles_name_form"),
    "role twice": ("INSERT INTO roles (name) VALUES ('admin')", "pk_roles"),
    "admin renamed": ("UPDATE roles SET name = 'root' WHERE name = 'admin'", "roles_protect_admin"),
    "admin deleted": ("DELETE FROM roles WHERE name = 'admin'", "roles_protect_admin"),
    "admin retired": ("UPDATE roles SET retired_at = now()", "roles_protect_admin"),
    "user with a space": (
        "INSERT INTO users (username, password_hash) VALUES ('a b', 'h')",
        "ck_users_username_form",
    ),
    "user twice": (SEED[1], "uq_users_username"),
    "user without a password": (
        "INSERT INTO users (username, password_hash) VALUES ('a', '')",
        "ck_users_password_hash_filled",
    ),
    "unknown role of a user": (
        "INSERT INTO user_roles SELECT id, 'yok' FROM users",
        "fk_user_roles_role_roles",
    ),
    "short key hash": (
        f"{KEY} 'n', 'short', 'p', 'user' FROM users",
        "ck_api_keys_key_hash_length",
    ),
    "unknown key kind": (
        f"{KEY} 'n', sha256('x'), 'p', 'root' FROM users",
        "ck_api_keys_kind_known",
    ),
    "key without a name": (
        f"{KEY} '', sha256('x'), 'p', 'user' FROM users",
        "ck_api_keys_name_filled",
    ),
    "same file twice": (DOCUMENT.replace("'a'", "'b'"), "uq_documents_sha256"),
    "odd digest": (DOCUMENT.replace("'a'", "'A'"), "ck_documents_sha256_form"),
    "document without a title": (DOCUMENT.replace("'t'", "''"), "ck_documents_title_filled"),
    "document without a name": (DOCUMENT.replace("'f'", "''"), "ck_documents_filename_filled"),
    "document without a suffix": (DOCUMENT.replace("'pdf'", "''"), "ck_documents_suffix_filled"),
    "negative size": ("UPDATE documents SET size = -1", "ck_documents_size_positive"),
    "unknown state": ("UPDATE documents SET state = 'lost'", "ck_documents_state_known"),
    "failed without a reason": (
        "UPDATE documents SET state = 'failed'",
        "ck_documents_failed_has_error",
    ),
    "ready without chunks": (
        "UPDATE documents SET state = 'ready', ready_at = now()",
        "ck_documents_ready_has_chunks",
    ),
    "ready with nothing to warn of": (
        "UPDATE documents SET state = 'ready_with_warnings', n_chunks = 1, ready_at = now()",
        "ck_documents_warned_has_warnings",
    ),
    "warnings no list": ("UPDATE documents SET warnings = '{}'", "ck_documents_warnings_array"),
    "negative count": ("UPDATE documents SET n_tokens = -1", "ck_documents_counts_positive"),
    "version nought": ("UPDATE documents SET version = 0", "ck_documents_version_positive"),
    "version twice": (
        "INSERT INTO documents (title, filename, suffix, sha256, size, series)"
        " SELECT 't', 'f', 'pdf', repeat('c', 64), 1, series FROM documents",
        "uq_documents_series_version",
    ),
    "unknown role of a document": (
        "INSERT INTO document_roles SELECT id, 'yok' FROM documents",
        "fk_document_roles_role_roles",
    ),
    "page nought": (f"{PAGE} 0, 0, 'x' FROM documents", "ck_pages_number_positive"),
    "page before the first": (f"{PAGE} -1, 1, 'x' FROM documents", "ck_pages_ordinal_positive"),
    "chunk without text": (f"{CHUNK} 1, '', 1, 1, 0 FROM documents", "ck_chunks_text_filled"),
    "chunk backwards": (f"{CHUNK} 1, 'x', 3, 2, 0 FROM documents", "ck_chunks_page_range"),
    "chunk with half a range": (
        f"{CHUNK} 1, 'x', 3, NULL, 0 FROM documents",
        "ck_chunks_page_range",
    ),
    "chunk on page nought": (f"{CHUNK} 1, 'x', 0, 1, 0 FROM documents", "ck_chunks_page_range"),
    "chunk before the first": (
        f"{CHUNK} -1, 'x', 1, 1, 0 FROM documents",
        "ck_chunks_ordinal_positive",
    ),
    "chunk of negative length": (
        f"{CHUNK} 1, 'x', 1, 1, -1 FROM documents",
        "ck_chunks_n_tokens_positive",
    ),
    "chunk twice": (
        f"{CHUNK} 0, 'x', 1, 1, 0 FROM documents",
        "uq_chunks_document_id_ordinal",
    ),
    "space of no dimension": (
        f"{SPACE} VALUES ('m', 0, 'c', 'building')",
        "ck_embedding_spaces_dim_range",
    ),
    "space too wide": (
        f"{SPACE} VALUES ('m', 4001, 'c', 'building')",
        "ck_embedding_spaces_dim_range",
    ),
    "space without a model": (
        f"{SPACE} VALUES ('', 4, 'c', 'building')",
        "ck_embedding_spaces_model_id_filled",
    ),
    "space in an unknown state": (
        f"{SPACE} VALUES ('m', 4, 'c', 'lost')",
        "ck_embedding_spaces_state_known",
    ),
    "two active spaces": (
        f"{SPACE} VALUES ('m', 4, 'c', 'active'), ('m', 5, 'c', 'active')",
        "uq_embedding_spaces_active",
    ),
    "space twice": (
        f"{SPACE} VALUES ('m', 4, 'c', 'building'), ('m', 4, 'c', 'retired')",
        "uq_embedding_spaces_model_id_dim_chunking",
    ),
    "term twice": ("INSERT INTO terms (term) VALUES ('izin')", "uq_terms_term"),
    "term without letters": ("INSERT INTO terms (term) VALUES ('')", "ck_terms_term_length"),
    "posting of no occurrence": (
        f"{POSTING} 0, 1 FROM terms t, chunks c",
        "ck_postings_tf_dl_range",
    ),
    "posting longer than its chunk": (
        f"{POSTING} 2, 1 FROM terms t, chunks c",
        "ck_postings_tf_dl_range",
    ),
    "posting of another document": (
        "INSERT INTO postings SELECT t.id, c.id, c.document_id + 1, 1, 1 FROM terms t, chunks c",
        "postings_have_their_chunk",
    ),
    "second live job": (
        "INSERT INTO ingest_jobs (document_id) SELECT id FROM documents",
        "uq_ingest_jobs_live",
    ),
    "job in an unknown state": (
        "UPDATE ingest_jobs SET state = 'lost'",
        "ck_ingest_jobs_state_known",
    ),
    "job failed without a reason": (
        "UPDATE ingest_jobs SET state = 'failed'",
        "ck_ingest_jobs_failed_has_error",
    ),
    "job with less than nothing done": (
        "UPDATE ingest_jobs SET done = -1",
        "ck_ingest_jobs_counts_positive",
    ),
    "answer on an unknown channel": (
        f"{ANSWER} ('fax', 'm', 'p', 'r', false, 1, '{{}}', '{{}}')",
        "ck_answers_channel_known",
    ),
    "answer that took less than no time": (
        f"{ANSWER} ('cli', 'm', 'p', 'r', false, -1, '{{}}', '{{}}')",
        "ck_answers_counts_positive",
    ),
    "answer citing what was not offered": (
        f"{ANSWER} ('cli', 'm', 'p', 'r', false, 1, '{{1}}', '{{2}}')",
        "ck_answers_cited_was_offered",
    ),
}


@pytest.fixture(scope="module")
def seeded(shared_database_url: str) -> Iterator[Engine]:
    """A database with a document, a user, a job, a chunk and a term."""
    engine = make_engine(shared_database_url)
    with engine.begin() as connection:
        for statement in SEED:
            connection.execute(text(statement))
    yield engine
    engine.dispose()


@pytest.mark.parametrize(("statement", "constraint"), REFUSED.values(), ids=REFUSED)
def test_database_refuses(seeded: Engine, statement: str, constraint: str) -> None:
    with seeded.connect() as connection, pytest.raises(IntegrityError) as caught:
        connection.execute(text(statement))
    assert constraint_of(caught.value) == constraint


@pytest.mark.parametrize(
    ("statement", "constraint"),
    [
        ("UPDATE postings SET document_id = document_id + 1", "postings_have_their_chunk"),
        (
            "UPDATE chunks SET document_id = o.id FROM documents o WHERE o.title = 'o'",
            "chunks_stay",
        ),
    ],
    ids=["posting", "chunk"],
)
def test_posting_stays_with_its_chunk(seeded: Engine, statement: str, constraint: str) -> None:
    with seeded.connect() as connection:
        connection.execute(text(f"{POSTING} 1, 1 FROM terms t, chunks c"))
        connection.execute(text(OTHER))
        with pytest.raises(IntegrityError) as caught:
            connection.execute(text(statement))
    assert constraint_of(caught.value) == constraint


def test_postings_go_with_their_chunk(seeded: Engine) -> None:
    with seeded.connect() as connection:
        connection.execute(text(f"{POSTING} 1, 1 FROM terms t, chunks c"))
        connection.execute(text("DELETE FROM chunks"))
        assert connection.scalar(text("SELECT count(*) FROM postings")) == 0


def test_failed_file_may_come_again(seeded: Engine) -> None:
    with seeded.connect() as connection:
        connection.execute(text("UPDATE documents SET state = 'failed', error = 'bozuk'"))
        assert connection.execute(text(SEED[0])).rowcount == 1


@pytest.mark.parametrize("name", ["öğretmen", "IK", "ık", "insan-kaynakları_2.1", "a" * 64])
def test_role_names_of_any_script_are_taken(seeded: Engine, name: str) -> None:
    query = text("INSERT INTO roles (name) VALUES (:name) RETURNING name")
    with seeded.connect() as connection:
        assert connection.scalar(query, {"name": name}) == name


@pytest.mark.parametrize(
    ("document", "vector", "constraint"),
    [("document_id", "[1,2]", "_dim"), ("document_id + 1", "[1,2,3]", "fk_embeddings")],
    ids=["other dimension", "other document"],
)
def test_partition_refuses(seeded: Engine, document: str, vector: str, constraint: str) -> None:
    with seeded.connect() as connection, Session(connection) as session:
        made = f"{SPACE} VALUES ('m', 3, 'c', 'active') RETURNING id"
        space_id = connection.execute(text(made)).scalar_one()
        create_partition(session, Space(id=space_id, model_id="m", dim=3, chunking="c"))
        insert = (
            "INSERT INTO embeddings (space_id, chunk_id, document_id, e)"
            f" SELECT {space_id}, id, {document}, '{vector}' FROM chunks"
        )
        with pytest.raises(IntegrityError, match=constraint):
            connection.execute(text(insert))
