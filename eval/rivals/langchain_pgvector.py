"""LangChain's ``PGVector`` (package ``langchain-postgres``).

Roles: a chunk has one flag a role in its metadata, ``{"role_r10": true}``, and the filter is an
``$or`` of them. ``PGVector`` has ``$in`` for a field with one value only, and no operator for a
field with a list; a flag a role is what is left for documents that several roles may read. An
administrator asks without a filter.

Index: ``PGVector`` makes none on the vectors. It takes ``embedding_length`` so that one can be
made, so pgvector's README is followed: HNSW on ``vector_cosine_ops`` with its defaults, made after
loading. All else is left as it is, ``hnsw.ef_search`` 40 and no iterative scan among it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from langchain_core.embeddings import Embeddings
from langchain_postgres import PGVector
from sqlalchemy import create_engine, text

from eval.filtered import CHUNKS, DIM, Cell, FilteredSet, Floats

#: Chunks given at a time; a statement takes 65,535 parameters, five a chunk.
STEP: Final = 1_000


class _Given(Embeddings):
    """Never asked: vectors are given to the store."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError


class LangchainPgvector:
    """Chunks in ``langchain_pg_embedding``, found by ``similarity_search_by_vector``."""

    def __init__(self, url: str, folder: Path) -> None:
        self._engine = create_engine(url)
        self._store = PGVector(
            embeddings=_Given(),
            connection=self._engine,
            collection_name="chunks",
            embedding_length=DIM,
            use_jsonb=True,
        )

    def load(self, data: FilteredSet) -> None:
        """Add all chunks, then make the index."""
        for start in range(0, len(data.vectors), STEP):
            numbers = range(start, min(start + STEP, len(data.vectors)))
            names = [str(i) for i in numbers]
            flags = [{f"role_{role}": True for role in data.roles_of(i // CHUNKS)} for i in numbers]
            vectors = data.vectors[numbers.start : numbers.stop].tolist()
            self._store.add_embeddings(names, vectors, metadatas=flags, ids=names)
        index = (
            "CREATE INDEX ON langchain_pg_embedding USING hnsw (embedding vector_cosine_ops)",
            "VACUUM ANALYZE langchain_pg_embedding",
        )
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for statement in index:
                connection.execute(text(statement))

    def search(self, vector: Floats, cell: Cell, k: int) -> list[int]:
        """Chunks by vector and filter."""
        found = self._store.similarity_search_by_vector(
            vector.tolist(), k=k, filter=_filter(cell.roles)
        )
        return [int(item.page_content) for item in found]


def _filter(roles: tuple[str, ...]) -> dict[str, Any] | None:
    """The filter for these roles."""
    if "admin" in roles:
        return None
    flags: list[dict[str, Any]] = [{f"role_{role}": {"$eq": True}} for role in roles]
    return flags[0] if len(flags) == 1 else {"$or": flags}
