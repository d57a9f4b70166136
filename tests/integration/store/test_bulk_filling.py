"""What benchmarks load in bulk is what the product itself would have stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from sqlalchemy import Connection, Engine, text

from docrag.api import Access, analysed, asked_terms, c4, indexed
from docrag.store import Store, make_engine
from eval.filtered import CHUNKS, FilteredSet, make_set
from eval.retrieval_store import fill_text
from eval.zipf import ZipfText, make_text

COUNT = 60


@pytest.fixture(scope="module")
def data() -> FilteredSet:
    return make_set(COUNT, queries=2)


@pytest.fixture(scope="module")
def words() -> ZipfText:
    return make_text(COUNT, per_document=CHUNKS)


@pytest.fixture(scope="module")
def bulk(shared_database_url: str, data: FilteredSet, words: ZipfText) -> Iterator[Engine]:
    engine = make_engine(shared_database_url)
    fill_text(engine, data, words)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(bulk: Engine) -> Iterator[Connection]:
    with bulk.connect() as connection:
        yield connection


def analysis(words: ZipfText, chunk: int) -> str:
    """The indexed text of a chunk, title and all."""
    title = words.spelled(words.titles[chunk // CHUNKS])
    return indexed(title, "", words.spelled(words.chunks[chunk]))


def test_bulk_postings_are_those_of_the_analysis(connection: Connection, words: ZipfText) -> None:
    query = "SELECT term, tf, dl, document_id FROM postings JOIN terms ON id = term_id"
    rows = connection.execute(text(query + " WHERE chunk_id = 13")).all()
    terms = analysed(analysis(words, 12))
    assert {row.term: row.tf for row in rows} == Counter(terms)
    assert {(row.dl, row.document_id) for row in rows} == {(len(terms), 2)}


def test_bulk_grams_are_those_of_the_analysis(connection: Connection, words: ZipfText) -> None:
    counted = [Counter(c4(analysis(words, chunk))) for chunk in range(COUNT)]
    frequencies = Counter(gram for counts in counted for gram in counts)
    rows = connection.execute(text("SELECT gram, df FROM grams")).all()
    assert {row.gram: row.df for row in rows} == frequencies


def test_bulk_documents_say_what_they_hold(connection: Connection, words: ZipfText) -> None:
    texts = [analysis(words, chunk) for chunk in range(CHUNKS)]
    query = "SELECT n_tokens, n_grams, n_chunks FROM documents WHERE id = 1"
    row = connection.execute(text(query)).one()
    assert row.n_tokens == sum(len(analysed(text)) for text in texts)
    assert (row.n_grams, row.n_chunks) == (sum(len(c4(text)) for text in texts), CHUNKS)


def test_bulk_grams_of_a_document_add_up(connection: Connection) -> None:
    query = """
        SELECT gram, sum(n) FROM document_grams, unnest(grams, counts) g (gram, n) GROUP BY gram
        EXCEPT SELECT gram, df FROM grams
    """
    assert connection.execute(text(query)).all() == []


def test_bulk_terms_of_a_document_add_up(connection: Connection) -> None:
    query = """
        SELECT id, sum(n) FROM document_terms, unnest(term_ids, counts) t (id, n) GROUP BY id
        EXCEPT SELECT id, df FROM terms
    """
    assert connection.execute(text(query)).all() == []


def test_bulk_vectors_arrive_as_they_were(connection: Connection, data: FilteredSet) -> None:
    read = connection.scalar(text("SELECT e::text FROM embeddings WHERE chunk_id = 8"))
    stored = np.array(str(read).strip("[]").split(","), dtype=np.float32)
    assert stored == pytest.approx(data.vectors[7], abs=1e-4)


def test_bulk_loaded_tables_have_their_keys(connection: Connection) -> None:
    query = "SELECT conname FROM pg_constraint WHERE conrelid = CAST(:name AS regclass)"
    for table in ("postings", "document_grams", "document_terms"):
        names = connection.scalars(text(query), {"name": table}).all()
        assert f"pk_{table}" in names
        assert table == "postings" or any(name.startswith(f"fk_{table}") for name in names)


def test_bulk_indexes_are_back(connection: Connection) -> None:
    query = "SELECT indexname FROM pg_indexes WHERE tablename ~ '^(postings|embeddings_s)'"
    names = connection.scalars(text(query)).all()
    assert "ix_postings_chunk_id" in names
    assert any(name.endswith("_hnsw") for name in names)


def test_bulk_text_is_found(bulk: Engine, data: FilteredSet, words: ZipfText) -> None:
    asked = words.spelled(words.chunks[42])
    found = Store(bulk).chunks.candidates(
        terms=asked_terms(asked), vector=data.vectors[42], access=Access.of(["admin"]), k=1
    )
    assert {item.chunk.text for item in found} == {asked}
