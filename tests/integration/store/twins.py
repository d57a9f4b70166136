"""The same chunks in the database and in memory, for searches that must find the same."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

import numpy as np
from sqlalchemy import Engine, text

from docrag.api import StoredChunk, Vectors
from docrag.store import Store, make_engine
from docrag.testing.store import MemoryChunkStore

from .mirror import Writer

WORDS = (
    "kaza kazası kazanın kazan yıllık yıllığı izin izinli İZİN ısı ISITMA işçi işçinin maaş "
    "kâğıt kağıdı görev görevi ab a süre 2024 rapor raporlu sağlık belge belgesi ödeme"
).split()
#: Chunks of each document: one window, exactly one, two, and three.
SIZES = (1, 12, 13, 25, 3, 2, 24, 7)
DIM = 12


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
    """A vector that only this text has."""
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
        """The store that searches ``exact`` or through ``hnsw``."""
        return self.exact if way == "exact" else self.hnsw


@contextmanager
def filled_twins(url: str) -> Iterator[Twins]:
    """Both stores with documents of all sizes, every second one readable by "half"."""
    engine = make_engine(url)
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
