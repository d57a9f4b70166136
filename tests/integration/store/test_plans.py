"""How PostgreSQL runs the whole search, and that no wall or bound is missing in it."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from sqlalchemy import Engine, event, text

from docrag.api import Access, Vectors, asked_terms
from docrag.retrievers.hybrid import HybridRetriever
from docrag.store import Store, make_engine
from docrag.store.approle import APP_ROLE
from docrag.store.hybrid import exact_leg, hnsw_leg, statement
from docrag.store.permission import VISIBLE
from docrag.store.records import Space
from docrag.testing.vectors import CountingEmbedder
from tests.security.leak_matrix.walls import opened_up

from .mirror import Writer

DOCUMENTS, CHUNKS, DIM = 40, 50, 16
SPACE = Space(id=1, model_id="m", dim=DIM, chunking="c")
LEGS = {"exact": exact_leg(SPACE), "hnsw": hnsw_leg(SPACE), "words": ""}


@pytest.fixture(scope="module")
def words() -> list[str]:
    """Words whose F5 terms differ, some of them far more common than others."""
    draw = random.Random(11)  # noqa: S311 - fixed words
    return ["".join(draw.choices("abcdefghıijklmnoöprsştuüvyz", k=7)) for _ in range(3000)]


@pytest.fixture(scope="module")
def crowd(shared_database_url: str, words: list[str]) -> Iterator[Engine]:
    """2,000 chunks with more than 20,000 postings."""
    engine = make_engine(shared_database_url)
    store, draw = Store(engine), random.Random(2)  # noqa: S311 - a fixed corpus
    for role in ("half", "rest"):
        store.roles.create(role)
    writer, rng = Writer(store), np.random.default_rng(2)
    weights = [1 / (n + 5) for n in range(len(words))]
    for n in range(DOCUMENTS):
        texts = [" ".join(draw.choices(words, weights, k=20)) for _ in range(CHUNKS)]
        document_id = writer.create("Belge", str(n).encode(), ["half" if n % 2 else "rest"])
        vectors: Vectors = rng.standard_normal((CHUNKS, DIM)).astype(np.float32)
        writer.fill(document_id, "Belge", texts, vectors=vectors)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))
    yield engine
    engine.dispose()


def sent(
    engine: Engine, question: str, role: str, *, hnsw: bool, pool: int = 100
) -> tuple[str, dict[str, object]]:
    """The search statement that a question becomes, with its parameters."""
    kept: list[tuple[str, dict[str, object]]] = []

    def keep(_c: object, _u: object, query: str, values: dict[str, object], *_: object) -> None:
        if "found AS MATERIALIZED" in query:
            kept.append((query, values))

    event.listen(engine, "before_cursor_execute", keep)
    retriever = HybridRetriever(
        store=Store(
            engine, exact_threshold=0 if hnsw else 10**9, hnsw_overfetch=max(50, pool)
        ).chunks,
        embedder=CountingEmbedder(dim=DIM),
        pool=pool,
    )
    retriever.retrieve(question, access=Access.of([role]), k=5)
    event.remove(engine, "before_cursor_execute", keep)
    return kept[0]


def plan(engine: Engine, question: str, role: str) -> str:
    """The plan of that statement through HNSW, as the reader's role runs it.

    With a pool and over-fetch as small beside this corpus as the usual ones are beside one that is
    large enough for HNSW.
    """
    query, values = sent(engine, question, role, hnsw=True, pool=10)
    with engine.connect() as connection:
        names = {"role": APP_ROLE, "docrag.roles": role, "hnsw.iterative_scan": "relaxed_order"}
        for name, value in names.items():
            connection.execute(text("SELECT set_config(:n, :v, true)"), {"n": name, "v": value})
        rows = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, TIMING OFF) {query}", values)
        return "\n".join(row[0] for row in rows)


@pytest.fixture(scope="module", params=["admin", "half"])
def plans(request: pytest.FixtureRequest, crowd: Engine, words: list[str]) -> str:
    """The plan of the whole hybrid statement through HNSW."""
    return plan(crowd, " ".join(words[:8]), request.param)


def test_vectors_are_read_through_hnsw(plans: str) -> None:
    assert re.search(r"Index Scan using ix_embeddings_s\d+_hnsw", plans)


def test_postings_are_read_through_their_key(plans: str) -> None:
    """Frequencies, the lexical search and the probes of windows."""
    assert "Seq Scan on postings" not in plans
    found = re.findall(r"Index (?:Only )?Scan using (\w+) on postings", plans)
    assert len(found) >= 3
    assert set(found) == {"pk_postings"}


def test_windows_are_probed_by_term_and_place(plans: str) -> None:
    conditions = re.findall(r"Index Cond: (.*)", plans)
    assert any("chunk_id >=" in one and "term_id =" in one for one in conditions)


def test_second_lexical_search_waits_for_need(plans: str) -> None:
    """Nothing was left out here, so that all terms are not searched for once more."""
    gate = plans[plans.index("One-Time Filter") :]
    assert "never executed" in gate[: gate.index("postings")]


@pytest.mark.parametrize("hnsw", [True, False])
def test_long_question_is_bounded_and_quick(crowd: Engine, words: list[str], hnsw: bool) -> None:
    """50,000 characters of different words."""
    question = " ".join(f"{word}{n}" for n, word in enumerate(words * 3))[:50_000]
    started = time.perf_counter()
    query, values = sent(crowd, question, "admin", hnsw=hnsw)
    assert time.perf_counter() - started < 1.0
    assert len(values["terms"]) < 400  # type: ignore[arg-type]  # a list
    limits = set(re.findall(r"LIMIT %\((\w+)\)s", query))
    assert limits == ({"k", "fetch"} if hnsw else {"k"})
    assert {values[name] for name in limits} <= {100}


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("lexical", [True, False])
def test_every_search_is_bounded(leg: str, lexical: bool) -> None:
    if not LEGS[leg] and not lexical:
        return
    query = statement(LEGS[leg], lexical=lexical, space=SPACE).text
    searches = {"exact": 1, "hnsw": 2, "words": 0}[leg] + 2 * lexical
    assert query.count("LIMIT :") == searches


@pytest.mark.parametrize("leg", LEGS)
def test_role_filter_stands_in_every_search(leg: str) -> None:
    """In each search, and once more where rows leave the statement."""
    query = statement(LEGS[leg], lexical=True, space=SPACE).text
    assert query.count(VISIBLE) == {"exact": 3, "hnsw": 3, "words": 2}[leg]
    assert query.count("p.document_id IN (SELECT id FROM permitted)") == 2
    assert query.count("allowed_roles") == {"exact": 3, "hnsw": 4, "words": 2}[leg]


@pytest.mark.parametrize("leg", LEGS)
def test_security_tests_take_every_filter_out(leg: str) -> None:
    """The walls of the leak matrix would prove nothing if one stayed."""
    query = statement(LEGS[leg], lexical=True, space=SPACE).text
    opened = opened_up(query)
    assert "allowed_roles" not in opened
    assert Counter(opened)["("] == Counter(opened)[")"]
    assert opened.count("AND true") == query.count("allowed_roles") - (leg == "hnsw")


def test_question_without_known_words_still_asks_by_meaning(crowd: Engine) -> None:
    query, values = sent(crowd, "bambaşka sözcük", "half", hnsw=False)
    assert values["terms"] == asked_terms("bambaşka sözcük")
    assert "dense AS MATERIALIZED" in query
