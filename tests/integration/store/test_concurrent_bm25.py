"""BM25 while others write: every score equals the reference of the statement's own snapshot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from docrag.api import Access, analysed, asked_terms, c4
from docrag.store import Store, make_engine

from .mirror import Crew, Writer, mirrored

#: Words of four letters and others that they begin, so that classes of terms meet.
WORDS = (
    "kaza kazası kazanın kazaen kazan yıllık yıllığı izin izinli İZİN ısı ISITMA işçi işçinin maaş "
    "maaşlar kâğıt kağıdı görev görevi ab a süre 2024"
).split()
QUESTIONS = st.lists(st.sampled_from([*WORDS, "yokluk", "kazma"]), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def busy(shared_database_url: str) -> Iterator[tuple[Engine, Crew]]:
    """A database that others write to all the time, and one document that stays."""
    engine = make_engine(shared_database_url)
    store = Store(engine)
    for role in ("ik", "bilgi"):
        store.roles.create(role)
    writer = Writer(store)
    fixed = writer.create("Kaza", b"fixed", roles=["bilgi"])
    writer.fill(fixed, "Kaza", ["kaza bildirimi", "kazan dairesi ve ısı"])
    with Crew(engine, WORDS) as crew:
        yield engine, crew
    engine.dispose()
    assert all(crew.done[act] for act in ("add", "replace", "fail", "delete"))


SLOW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SLOW
@given(words=QUESTIONS, role=st.sampled_from(["admin", "ik", "bilgi"]))
def test_scores_equal_reference_of_the_snapshot(
    busy: tuple[Engine, Crew], words: list[str], role: str
) -> None:
    asked = asked_terms(" ".join(words))
    with mirrored(busy[0]) as (chunks, reference):
        found = chunks.candidates(terms=asked, vector=None, access=Access.of([role]), k=1000)
    lexical, window = reference.lexical(asked, role), reference.window(asked, role)
    wanted = {n for n, score in lexical.items() if score > 0} & reference.readable(role)
    assert {item.chunk.chunk_id for item in found} == wanted
    for item in found:
        number = item.chunk.chunk_id
        assert item.lexical == pytest.approx(lexical[number], abs=1e-9)
        assert item.window == pytest.approx(window[number], abs=1e-9)


@SLOW
@given(words=QUESTIONS)
def test_statistics_equal_a_recount_of_the_snapshot(
    busy: tuple[Engine, Crew], words: list[str]
) -> None:
    terms, grams = analysed(" ".join(words)), c4(" ".join(words))
    with mirrored(busy[0]) as (chunks, reference):
        found = chunks.statistics("f5", terms), chunks.statistics("c4", grams)
    units = reference.units
    assert [one.n_units for one in found] == [len(units), len(units)]
    assert found[0].document_frequency == {term: reference.frequency(term) for term in terms}
    assert found[1].document_frequency == {
        gram: sum(gram in unit.grams for unit in units) for gram in grams
    }
    lengths = [sum(u.terms.total() for u in units), sum(u.grams.total() for u in units)]
    assert [one.average_length * len(units) for one in found] == pytest.approx(lengths)


def test_writers_really_write(busy: tuple[Engine, Crew]) -> None:
    """The corpus that two questions see is not the same."""
    engine, crew = busy
    seen = set()
    for _ in range(50):
        with mirrored(engine) as (_, reference):
            seen.add(frozenset(unit.id for unit in reference.units))
    assert len(seen) > 1 and crew.done.total() > 0
