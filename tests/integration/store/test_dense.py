"""The dense search: exact and HNSW, always filtered, never short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from sqlalchemy import Engine, text

from docrag.api import Access, Candidate, Chunk, EmbedderError, Vectors
from docrag.store import Store, make_engine
from docrag.store.hybrid import PRELUDE, exact_leg, hnsw_leg, statement
from docrag.store.permission import parameters
from docrag.store.records import Space
from docrag.store.sessions import Sessions

from .conftest import ADMIN, DIM, Library, spread

DOCUMENTS, CHUNKS = 40, 50
#: Every second document allows "half", every fourth "quarter", every twentieth "few".
ROLES = {"half": 2, "quarter": 4, "few": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """2,000 chunks with known vectors."""

    engine: Engine
    space: Space
    #: Roles of each document, by number; and all vectors, document by document.
    roles: list[list[str]]
    vectors: Vectors

    def store(self, *, exact: bool) -> Store:
        """A store that always takes the same way."""
        return Store(self.engine, exact_threshold=10**9 if exact else 0, hnsw_ef_search=400)

    def best(self, query: Vectors, role: str, k: int) -> list[str]:
        """Texts of the permitted chunks by cosine, by numpy."""
        mask = np.repeat([role == "admin" or role in roles for roles in self.roles], CHUNKS)
        stored = self.vectors.astype(np.float16).astype(np.float64)
        asked = query.astype(np.float16).astype(np.float64)
        scores = stored @ asked / np.linalg.norm(stored, axis=1)
        order = np.argsort(np.where(mask, -scores, np.inf), kind="stable")
        return [str(n) for n in order[: min(k, int(mask.sum()))]]


@pytest.fixture(scope="module")
def crowd(shared_database_url: str) -> Iterator[Crowd]:
    """Vectors around twenty topics, in 40 documents."""
    rng = np.random.default_rng(7)
    topics = rng.standard_normal((20, DIM))
    drawn = topics[rng.integers(20, size=DOCUMENTS * CHUNKS)]
    vectors = (drawn + 0.7 * rng.standard_normal(drawn.shape)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    engine = make_engine(shared_database_url)
    library = Library(Store(engine))
    space = library.store.spaces.ensure(model_id="spread", dim=DIM, chunking="one")
    roles = [
        ["rest", *(role for role, step in ROLES.items() if n % step == 0)] for n in range(DOCUMENTS)
    ]
    for n in range(DOCUMENTS):
        document, _ = library.queue(roles=roles[n], data=str(n).encode())
        own = range(n * CHUNKS, (n + 1) * CHUNKS)
        library.store.documents.add(
            document.id,
            pages=[],
            chunks=[
                Chunk(ordinal=i, text=str(m), page_first=None, page_last=None)
                for i, m in enumerate(own)
            ],
            vectors=vectors[own.start : own.stop],
            space_id=space.id,
            terms=[["ortak"]] * CHUNKS,
            warnings=[],
        )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))
    yield Crowd(engine=engine, space=space, roles=roles, vectors=vectors)
    engine.dispose()


def texts(found: list[Candidate]) -> list[str]:
    return [item.chunk.text for item in found]


@pytest.mark.parametrize("role", ["admin", "half", "quarter", "few"])
def test_exact_search_equals_numpy(crowd: Crowd, role: str) -> None:
    query = spread("soru")
    found = crowd.store(exact=True).chunks.candidates(
        terms=[], vector=query, access=Access.of([role]), k=20
    )
    assert texts(found) == crowd.best(query, role, 20)


@pytest.mark.parametrize("role", ["admin", "half", "quarter", "few"])
@pytest.mark.parametrize("k", [1, 50, 300])
def test_hnsw_search_is_never_short(crowd: Crowd, role: str, k: int) -> None:
    permitted = len(crowd.best(spread("x"), role, 10**6))
    found = crowd.store(exact=False).chunks.candidates(
        terms=[], vector=spread("soru"), access=Access.of([role]), k=k
    )
    assert len(found) == min(k, permitted)


@pytest.mark.parametrize("role", ["admin", "half", "quarter", "few"])
def test_hnsw_search_finds_nearly_all(crowd: Crowd, role: str) -> None:
    store, hits = crowd.store(exact=False), 0
    for n in range(20):
        query = spread(f"soru {n}")
        found = store.chunks.candidates(terms=[], vector=query, access=Access.of([role]), k=10)
        hits += len(set(texts(found)) & set(crowd.best(query, role, 10)))
    assert hits / 200 >= 0.99


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "hnsw"])
def test_scores_are_cosines_in_order(crowd: Crowd, exact: bool) -> None:
    query = crowd.vectors[3]
    found = crowd.store(exact=exact).chunks.candidates(terms=[], vector=query, access=ADMIN, k=10)
    legs = [item.legs[0] for item in found]
    cosines = [float(query @ crowd.vectors[int(item.chunk.text)]) for item in found]
    assert [leg.rank for leg in legs] == list(range(1, 11))
    assert [leg.score for leg in legs] == pytest.approx(cosines, abs=2e-3)
    assert [leg.score for leg in legs] == sorted((leg.score for leg in legs), reverse=True)


def explain(crowd: Crowd, leg: str, roles: list[str]) -> str:
    """The plan of a search as it runs: under row-level security."""
    query = text("EXPLAIN " + statement(leg, lexical=False).text)
    permitted = parameters(Access.of(roles))
    values = permitted | {"k": 10, "vector": str(spread("soru").tolist()), "fetch": 50}
    with Sessions(crowd.engine).begin(access=Access.of(roles)) as session:
        session.execute(PRELUDE, permitted | {"bases": [], "ef_search": "40"})
        used = {name: values[name] for name in query.compile().params}
        return "\n".join(row[0] for row in session.execute(query, used))


@pytest.mark.parametrize("role", ["half", "rest", "admin"])
def test_hnsw_leg_reads_the_index_of_one_partition(crowd: Crowd, role: str) -> None:
    other = Store(crowd.engine).spaces.ensure(model_id="other", dim=3, chunking="one")
    plan = explain(crowd, hnsw_leg(crowd.space), [role])
    assert f"Index Scan using ix_embeddings_s{crowd.space.id}_hnsw" in plan
    assert f"embeddings_s{other.id}" not in plan


def test_hnsw_leg_sorts_again(crowd: Crowd) -> None:
    plan = explain(crowd, hnsw_leg(crowd.space), ["half"])
    assert "Sort Key: ((h.dist + '0'::double precision)), h.chunk_id" in plan


def test_exact_leg_leaves_the_index_alone(crowd: Crowd) -> None:
    assert "hnsw" not in explain(crowd, exact_leg(crowd.space), ["few"])


def test_search_without_space_is_lexical(library: Library) -> None:
    document, _ = library.queue()
    library.store.documents.add(
        document.id,
        pages=[],
        chunks=[Chunk(ordinal=0, text="izin", page_first=None, page_last=None)],
        vectors=None,
        space_id=None,
        terms=[["izin"]],
        warnings=[],
    )
    found = library.store.chunks.candidates(
        terms=["izin"], vector=spread("izin"), access=ADMIN, k=5
    )
    assert [[leg.name for leg in item.legs] for item in found] == [["lexical"]]


@pytest.mark.parametrize(
    "vector",
    [np.ones(3), np.ones((1, DIM)), np.zeros(DIM), np.full(DIM, np.nan)],
    ids=["other length", "matrix", "zero", "not a number"],
)
def test_odd_query_vector_is_refused(library: Library, vector: Vectors) -> None:
    library.shelve("izin")
    with pytest.raises(EmbedderError):
        library.store.chunks.candidates(terms=[], vector=vector, access=ADMIN, k=5)


def test_equal_vectors_come_by_chunk(library: Library) -> None:
    for data in (b"1", b"2", b"3"):
        document, _ = library.queue(data=data)
        library.fill(document.id, "aynı", "aynı")
    found = library.store.chunks.candidates(terms=[], vector=spread("aynı"), access=ADMIN, k=4)
    ids = [item.chunk.chunk_id for item in found]
    assert ids == sorted(ids) and len(ids) == 4


def test_k_must_be_positive(store: Store) -> None:
    with pytest.raises(ValueError, match="k is 0"):
        store.chunks.candidates(terms=["izin"], vector=None, access=ADMIN, k=0)
