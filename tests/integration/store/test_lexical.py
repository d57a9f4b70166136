"""The lexical search: BM25, equal to a reference in plain Python."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import Access, f5
from docrag.store import Store, make_engine
from docrag.store.records import DocumentState

from .conftest import ADMIN, Library, spread

K1, B = 0.9, 0.5
WORDS = (
    "yıllık izin İSTANBUL ısı işçi maaş görev yönetim kâğıt ödeme rapor sağlık belge süre".split()
)


def bm25(query: Sequence[str], corpus: Sequence[Sequence[str]]) -> dict[int, float]:
    """Scores of the units that hold a query term, by place in the corpus."""
    average = sum(map(len, corpus)) / len(corpus)
    scores: dict[int, float] = {}
    for term in query:
        df = sum(term in unit for unit in corpus)
        idf = math.log(1 + (len(corpus) - df + 0.5) / (df + 0.5))
        for n, unit in enumerate(corpus):
            if tf := Counter(unit)[term]:
                norm = K1 * (1 - B + B * len(unit) / average)
                scores[n] = scores.get(n, 0.0) + idf * tf * (K1 + 1) / (tf + norm)
    return scores


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Two hundred texts of 1 to 60 words, drawn unevenly."""
    draw = random.Random(3)  # noqa: S311 - a fixed corpus
    weights = [1 / (n + 1) for n in range(len(WORDS))]
    return [" ".join(draw.choices(WORDS, weights, k=draw.randint(1, 60))) for _ in range(200)]


@pytest.fixture(scope="module")
def shelf(shared_database_url: str, corpus: list[str]) -> Iterator[Store]:
    """The corpus in twenty documents; every second one may be read by "ik"."""
    engine = make_engine(shared_database_url)
    library = Library(Store(engine))
    for n in range(20):
        texts = corpus[n * 10 : n * 10 + 10]
        library.shelve(*texts, roles=["ik"] if n % 2 else ["bilgi"])
    yield library.store
    engine.dispose()


@pytest.mark.parametrize("question", ["izin", "yıllık izin süre", "izin izin maaş", "ISI işçi yok"])
@pytest.mark.parametrize("role", ["admin", "ik"])
def test_bm25_equals_reference(shelf: Store, corpus: list[str], question: str, role: str) -> None:
    """Statistics are the whole corpus's, whoever asks."""
    reference = bm25(f5(question), [f5(words) for words in corpus])
    wanted = {n: score for n, score in reference.items() if role == "admin" or n // 10 % 2}
    found = shelf.chunks.candidates(
        terms=f5(question), vector=None, access=Access.of([role]), k=1000
    )
    got = {corpus.index(item.chunk.text): item.legs[0].score for item in found}
    assert got == pytest.approx({n: wanted[n] for n in got}, abs=1e-9)
    assert len(found) == len(wanted)


def test_results_come_by_score_then_chunk(shelf: Store) -> None:
    found = shelf.chunks.candidates(terms=f5("izin maaş"), vector=None, access=ADMIN, k=50)
    keys = [(-round(item.legs[0].score, 9), item.chunk.chunk_id) for item in found]
    assert keys == sorted(keys)
    assert [item.legs[0].rank for item in found] == list(range(1, 51))


def test_statistics_equal_reference(shelf: Store, corpus: list[str]) -> None:
    units = [f5(words) for words in corpus]
    found = shelf.chunks.statistics("f5", ["izin", "yok", "izin"])
    assert found.n_units == len(units)
    assert found.average_length == pytest.approx(sum(map(len, units)) / len(units))
    assert found.document_frequency == {"izin": sum("izin" in u for u in units), "yok": 0}


def test_statistics_of_an_empty_corpus(store: Store) -> None:
    found = store.chunks.statistics("f5", ["izin"])
    assert (found.n_units, found.average_length) == (0, 0)


def test_unknown_field_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="known: f5, c4"):
        store.chunks.statistics("lemma", [])


@pytest.mark.parametrize(
    "terms", [["yok"], [""], ["a\x00b"], ["\ud800"], ["'; DROP TABLE terms; --"]]
)
def test_terms_that_stand_nowhere_find_nothing(library: Library, terms: list[str]) -> None:
    library.shelve("yıllık izin")
    assert library.store.chunks.candidates(terms=terms, vector=None, access=ADMIN, k=5) == []


def test_both_searches_are_united(library: Library) -> None:
    library.shelve("yıllık izin", "maaş bordrosu")
    found = library.store.chunks.candidates(
        terms=f5("maaş"), vector=spread("yıllık izin"), access=ADMIN, k=1
    )
    legs = [(item.chunk.text, [leg.name for leg in item.legs]) for item in found]
    assert legs == [("yıllık izin", ["dense"]), ("maaş bordrosu", ["lexical"])]


def test_candidate_says_where_it_stands(library: Library) -> None:
    document = library.shelve("giriş", "yıllık izin")
    (found,) = library.store.chunks.candidates(terms=f5("izin"), vector=None, access=ADMIN, k=5)
    chunk = found.chunk
    assert (chunk.document_id, chunk.title, chunk.filename) == (document.id, "İzin", "izin.pdf")
    assert (chunk.ordinal, chunk.page_first, chunk.page_last) == (1, 2, 2)


@pytest.mark.parametrize("state", ["queued", "processing", "failed"])
def test_only_ready_documents_are_searched(library: Library, state: str) -> None:
    document = library.shelve("yıllık izin")
    error = "bozuk" if state == "failed" else ""
    library.store.documents.set_state(document.id, DocumentState(state), error=error)
    found = library.store.chunks.candidates(
        terms=f5("izin"), vector=spread("yıllık izin"), access=ADMIN, k=5
    )
    assert found == []
