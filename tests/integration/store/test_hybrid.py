"""The whole search: every score against its definition, and both stores alike."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from sqlalchemy import Engine, text

from docrag.api import (
    Access,
    Candidate,
    EmbedderError,
    ScoredChunk,
    StoredChunk,
    Vectors,
    asked_terms,
)
from docrag.retrievers.hybrid import HybridRetriever
from docrag.store import Store, make_engine
from docrag.testing.store import MemoryChunkStore

from .conftest import ADMIN, Library
from .mirror import Writer, mirrored

WORDS = (
    "kaza kazası kazanın kazan yıllık yıllığı izin izinli İZİN ısı ISITMA işçi işçinin maaş "
    "kâğıt kağıdı görev görevi ab a süre 2024 rapor raporlu sağlık belge belgesi ödeme"
).split()
#: Chunks of each document: one window, exactly one, two, and three.
SIZES = (1, 12, 13, 25, 3, 2, 24, 7)
DIM = 12
ROLES = ("admin", "half")
QUESTIONS = (
    "izin",
    "kaza raporu",
    "yıllık izin süresi kaç gün",
    "ISI ısı işçinin görevi görevi",
    "İş kazası belgesi a ab 2024 kazanın",
    "yokluk bilinmeyen",
)


class Integers:
    """Vectors of small whole numbers, which halfvec holds exactly."""

    model_id = "ints"
    dim = DIM

    def __init__(self, *, unit: bool = False) -> None:
        self._unit = unit

    def embed_query(self, question: str) -> Vectors:
        """A vector of the question's own, of length 1 where the store needs that."""
        return drawn(question, unit=self._unit)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One for each text."""
        return np.stack([self.embed_query(words) for words in texts])


def drawn(seed: str, *, unit: bool = False) -> Vectors:
    numbers = random.Random(seed)  # noqa: S311 - fixed vectors
    vector = np.array([numbers.randint(-4, 4) for _ in range(DIM - 1)] + [1], dtype=np.float64)
    return cast("Vectors", vector / np.linalg.norm(vector) if unit else vector)


@dataclass(frozen=True, slots=True, kw_only=True)
class Twins:
    """The same chunks in the database, searched both ways, and in memory."""

    engine: Engine
    exact: Store
    hnsw: Store
    memory: MemoryChunkStore

    def store(self, way: str) -> Store:
        return self.exact if way == "exact" else self.hnsw


@pytest.fixture(scope="module")
def twins(shared_database_url: str) -> Iterator[Twins]:
    engine = make_engine(shared_database_url)
    store, memory = Store(engine), MemoryChunkStore()
    writer, draw = Writer(store), random.Random(5)  # noqa: S311 - a fixed corpus
    for role in ("half", "rest"):
        store.roles.create(role)
    for n, size in enumerate(SIZES):
        title, roles = f"Belge_{WORDS[n]} {n}", ["half" if n % 2 else "rest"]
        texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 25))) for _ in range(size)]
        document_id = writer.create(title, str(n).encode(), roles)
        # The last document is searched by words only.
        seeds = [f"{n} {place}" for place in range(size)] if n < len(SIZES) - 1 else []
        vectors = np.stack([drawn(seed) for seed in seeds]) if seeds else None
        writer.fill(document_id, title, texts, section=f"MADDE {n}", vectors=vectors)
    copy(engine, memory)
    yield Twins(
        engine=engine,
        exact=store,
        hnsw=Store(engine, exact_threshold=0, hnsw_ef_search=400, hnsw_overfetch=400),
        memory=memory,
    )
    engine.dispose()


def copy(engine: Engine, memory: MemoryChunkStore) -> None:
    """Put every chunk of the database into memory, under the same id."""
    query = text(
        "SELECT c.id, c.ordinal, c.text, c.section, d.public_id::text AS document, d.title,"
        " d.filename, d.allowed_roles, e.e::text AS vector FROM chunks c"
        " JOIN documents d ON d.id = c.document_id LEFT JOIN embeddings e ON e.chunk_id = c.id"
        " ORDER BY c.document_id, c.ordinal"
    )
    with engine.connect() as connection:
        for row in connection.execute(query):
            chunk = StoredChunk(
                chunk_id=row.id,
                document_id=row.document,
                title=row.title,
                filename=row.filename,
                ordinal=row.ordinal,
                text=row.text,
                page_first=None,
                page_last=None,
                section=row.section,
            )
            memory.add(chunk, row.allowed_roles, unit_vector(row.vector))


def unit_vector(written: str | None) -> Vectors | None:
    if written is None:
        return None
    vector = np.array(written.strip("[]").split(","), dtype=np.float64)
    return cast("Vectors", vector / np.linalg.norm(vector))


def fields(found: list[Candidate]) -> dict[int, tuple[float | None, ...]]:
    """Every number of every candidate, by chunk."""
    return {
        item.chunk.chunk_id: (
            item.dense,
            item.lexical,
            item.window,
            *(number for leg in item.legs for number in (leg.rank, leg.score)),
        )
        for item in found
    }


def both(twins: Twins, way: str, question: str, role: str, k: int) -> list[list[Candidate]]:
    terms, access = asked_terms(question), Access.of([role])
    return [
        store.candidates(
            terms=terms, vector=drawn(question, unit=unit), access=access, k=k
        )
        for store, unit in ((twins.store(way).chunks, False), (twins.memory, True))
    ]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("way", "k"), [("exact", 4), ("exact", 200), ("hnsw", 9)])
def test_stores_agree_on_every_field(
    twins: Twins, way: str, question: str, role: str, k: int
) -> None:
    found, wanted = both(twins, way, question, role, k)
    assert [item.chunk for item in found] == [item.chunk for item in wanted]
    assert [[leg.name for leg in item.legs] for item in found] == [
        [leg.name for leg in item.legs] for item in wanted
    ]
    one, other = fields(found), fields(wanted)
    for number in other:
        assert one[number] == pytest.approx(other[number], abs=1e-9)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("way", "pool"), [("exact", 5), ("exact", 200), ("hnsw", 20)])
def test_results_of_both_stores_are_equal(
    twins: Twins, way: str, question: str, role: str, pool: int
) -> None:
    found, wanted = (
        HybridRetriever(store=store, embedder=Integers(unit=unit), pool=pool).retrieve(
            question, access=Access.of([role]), k=5
        )
        for store, unit in ((twins.store(way).chunks, False), (twins.memory, True))
    )
    assert [item.chunk for item in found] == [item.chunk for item in wanted]
    assert numbers(found) == pytest.approx(numbers(wanted), abs=1e-9)
    assert len(found) == 5


def numbers(found: list[ScoredChunk]) -> list[float]:
    """Score, and rank and score of each leg."""
    return [
        number
        for item in found
        for number in (item.score, *(n for leg in item.legs for n in (leg.rank, leg.score)))
    ]


@pytest.mark.parametrize("way", ["exact", "hnsw"])
@pytest.mark.parametrize("role", ROLES)
def test_scores_equal_their_definitions(twins: Twins, way: str, role: str) -> None:
    """Also of a chunk that only the other search has found."""
    question, access = QUESTIONS[4], Access.of([role])
    asked = asked_terms(question)
    with mirrored(twins.engine, exact=way == "exact") as (chunks, reference):
        found = chunks.candidates(terms=asked, vector=drawn(question), access=access, k=12)
    lexical, window = reference.lexical(asked), reference.window(asked)
    for item in found:
        number = item.chunk.chunk_id
        assert item.lexical == pytest.approx(lexical[number], abs=1e-9)
        assert item.window == pytest.approx(window[number], abs=1e-9)
    names = {tuple(leg.name for leg in item.legs) for item in found}
    assert {("dense",), ("lexical",)} <= names


@pytest.mark.parametrize("size", sorted(set(SIZES)))
def test_every_chunk_of_a_document_has_its_window(twins: Twins, size: int) -> None:
    """Runs of at most twelve, as even as can be."""
    with mirrored(twins.engine) as (chunks, reference):
        found = chunks.candidates(terms=["izin"], vector=drawn("x"), access=ADMIN, k=1000)
    units = {unit.id: unit for unit in reference.units if unit.size == size}
    runs = {units[i.chunk.chunk_id].window: i.window for i in found if i.chunk.chunk_id in units}
    assert len(runs) == -(-size // 12)
    wanted = reference.window(["izin"])
    assert {units[n].window: score for n, score in wanted.items() if n in units} == pytest.approx(
        runs, abs=1e-9
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_second_stage_equals_definitions(twins: Twins, question: str) -> None:
    """Letters and pairs of the retriever are textbook BM25 over all chunks."""
    retriever = HybridRetriever(
        store=twins.exact.chunks, embedder=Integers(), pool=200, cosine_weight=7.5
    )
    found = retriever.retrieve(question, access=ADMIN, k=1000)
    with mirrored(twins.engine) as (_, reference):
        wanted = {"c4": reference.c4(question), "bigram": reference.bigram(question)}
    for item in found:
        scores = {leg.name: leg.score for leg in item.legs}
        for name, definition in wanted.items():
            assert scores[name] == pytest.approx(definition[item.chunk.chunk_id], abs=1e-9)
        rest = sum(score for name, score in scores.items() if name != "dense")
        assert item.score == pytest.approx(rest + 7.5 * scores["dense"], abs=1e-9)


def test_chunk_without_vector_is_found_by_words(twins: Twins) -> None:
    document = twins.memory._rows[-1].chunk
    found = twins.exact.chunks.candidates(
        terms=asked_terms(document.text), vector=drawn("x"), access=ADMIN, k=200
    )
    (own,) = [item for item in found if item.chunk == document]
    assert own.dense is None
    assert [leg.name for leg in own.legs] == ["lexical"]


def test_equal_chunks_come_in_their_order(library: Library) -> None:
    """Sums of many floats must not decide between equal texts."""
    words = " ".join(WORDS)
    for n in range(30):
        document, _ = library.queue(data=str(n).encode())
        Writer(library.store).fill(document.id, "İzin", [words], vectors=np.stack([drawn("x")]))
    retriever = HybridRetriever(store=library.store.chunks, embedder=Integers())
    found = retriever.retrieve(words, access=ADMIN, k=30)
    ids = [item.chunk.chunk_id for item in found]
    assert ids == sorted(ids) and len(ids) == 30


def test_text_is_stored_without_its_header(library: Library) -> None:
    document, _ = library.queue()
    Writer(library.store).fill(document.id, "İzin_Yönergesi", ["on dört gün"], section="Ücretli")
    for words in ("yönerge", "ücretli"):
        (found,) = library.store.chunks.candidates(
            terms=asked_terms(words), vector=None, access=ADMIN, k=5
        )
        assert (found.chunk.text, found.chunk.section) == ("on dört gün", "Ücretli")


def test_vector_of_another_length_is_refused(library: Library) -> None:
    library.shelve("izin")
    with pytest.raises(EmbedderError, match="the stored ones 16 numbers"):
        HybridRetriever(store=library.store.chunks, embedder=Integers()).retrieve(
            "izin", access=ADMIN, k=5
        )
