"""Counts of letter grams: always those of the chunks that are stored."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from docrag.api import StoreError, c4, f5
from docrag.store import Store
from docrag.store.approle import APP_ROLE

from .conftest import ADMIN, Library
from .mirror import Crew, Writer, mirrored


@pytest.fixture
def writer(store: Store) -> Writer:
    """Writes to a store that has the role "ik"."""
    store.roles.create("ik")
    return Writer(store)


def counted(engine: Engine) -> dict[str, int]:
    """What the database says, without grams that no chunk holds any more."""
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT gram, df FROM grams WHERE df <> 0")).all()
    return {row.gram: row.df for row in rows}


def recounted(engine: Engine) -> dict[str, int]:
    """The same from the texts of the chunks."""
    with mirrored(engine) as (_, reference):
        return dict(Counter(gram for unit in reference.units for gram in unit.grams))


def shelve(writer: Writer, title: str, *texts: str) -> str:
    document_id = writer.create(title, "\n".join(texts).encode())
    writer.fill(document_id, title, texts)
    return document_id


def test_counts_are_chunks_and_not_occurrences(writer: Writer, engine: Engine) -> None:
    shelve(writer, "İzin", "izin izin", "İZİN", "maaş")
    assert counted(engine)[" izi"] == 3
    assert counted(engine) == recounted(engine)


def test_replaced_contents_are_counted_once(writer: Writer, engine: Engine) -> None:
    shelve(writer, "Kaza", "kaza bildirimi")
    document_id = shelve(writer, "İzin", "yıllık izin", "süre")
    writer.fill(document_id, "İzin", ["ücretsiz izin", "yıllık izin", "kâğıt"])
    writer.fill(document_id, "İzin", ["maaş"])
    assert counted(engine) == recounted(engine)


def test_deleted_documents_leave_nothing(writer: Writer, engine: Engine) -> None:
    kept = shelve(writer, "Kaza", "kaza izni")
    document_id = shelve(writer, "İzin", "yıllık izin", "süre")
    writer.store.documents.delete(document_id, access=ADMIN)
    assert counted(engine) == recounted(engine) != {}
    writer.store.documents.delete(kept, access=ADMIN)
    assert counted(engine) == {}


def test_rolled_back_contents_are_not_counted(writer: Writer, engine: Engine) -> None:
    document_id = shelve(writer, "İzin", "yıllık izin")
    before = counted(engine)
    with pytest.raises(StoreError):
        writer.fill(document_id, "İzin", ["başka sözler"], broken=True)
    assert counted(engine) == before == recounted(engine)


def test_document_of_an_earlier_way_of_filling_has_no_grams(
    library: Library, engine: Engine
) -> None:
    library.shelve("yıllık izin")
    assert counted(engine) == {}


def test_contents_without_grams_take_the_earlier_ones_away(
    library: Library, engine: Engine
) -> None:
    document, _ = library.queue()
    Writer(library.store).fill(document.id, "İzin", ["yıllık izin"])
    library.fill(document.id, "yıllık izin")
    assert counted(engine) == {}


def test_columns_of_the_document_say_what_was_analysed(writer: Writer, engine: Engine) -> None:
    texts = ["yıllık izin", "ISI 2024"]
    shelve(writer, "İzin", *texts)
    with engine.connect() as connection:
        row = connection.execute(text("SELECT n_grams, n_tokens, language FROM documents")).one()
    whole = [f"İzin\n{words}" for words in texts]
    assert row.n_grams == sum(len(c4(words)) for words in whole)
    assert row.n_tokens == sum(len(f5(words)) for words in whole)
    assert row.language == "tr"


def test_counts_stay_right_while_many_write(writer: Writer, engine: Engine) -> None:
    """No deadlock either, although all writers meet at the same few grams."""
    words = "izin izni iznin kaza kazan kazası maaş maaşı".split()
    with Crew(engine, words, threads=4) as crew:
        for _ in range(40):
            with mirrored(engine) as (chunks, reference):
                asked = c4("izin kazası")
                found = chunks.statistics("c4", asked).document_frequency
            units = reference.units
            assert found == {gram: sum(gram in u.grams for u in units) for gram in asked}
    assert counted(engine) == recounted(engine)
    assert crew.done["delete"] and crew.done["fail"] and crew.done["replace"]


def as_app(engine: Engine, statement: str) -> object:
    """What the application's role gets for a statement."""
    with engine.connect() as connection:
        connection.execute(text(f"SET LOCAL ROLE {APP_ROLE}"))
        connection.execute(text("SELECT set_config('docrag.roles', 'admin', true)"))
        return connection.scalar(text(statement))


def test_app_role_reads_counts(writer: Writer, engine: Engine) -> None:
    shelve(writer, "İzin", "yıllık izin")
    assert as_app(engine, "SELECT df FROM grams WHERE gram = ' izi'") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM document_grams",
        "DELETE FROM document_grams",
        "UPDATE document_grams SET counts = counts",
        "INSERT INTO document_grams SELECT 1, '{}', '{}'",
        "UPDATE grams SET df = 7",
        "DELETE FROM grams",
        "INSERT INTO grams VALUES ('abcd', 1)",
        "TRUNCATE grams",
    ],
)
def test_app_role_does_nothing_else(writer: Writer, engine: Engine, statement: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        as_app(engine, statement)
