"""Chroma (package ``chromadb``) with a persistent client.

Roles: a list in the metadata, filtered by ``$contains``, several by an ``$or`` of those, as its
page on metadata filtering shows for lists. Chroma refuses an empty list, so every chunk also has
the role ``admin``, which in docrag it has too; an administrator asks without a filter.

Index: HNSW with the cosine space, all else by default (ef_search 100).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import chromadb
from chromadb.config import Settings

from eval.filtered import CHUNKS, Cell, FilteredSet, Floats

#: Chunks given at a time, less than the 5,461 that Chroma takes.
STEP: Final = 5_000


class Chroma:
    """Chunks in one collection, found by ``query``."""

    def __init__(self, url: str, folder: Path) -> None:
        client = chromadb.PersistentClient(
            path=str(folder), settings=Settings(anonymized_telemetry=False)
        )
        self._chunks = client.create_collection(
            "chunks", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def load(self, data: FilteredSet) -> None:
        """Add all chunks."""
        for start in range(0, len(data.vectors), STEP):
            numbers = range(start, min(start + STEP, len(data.vectors)))
            self._chunks.add(
                ids=[str(i) for i in numbers],
                embeddings=data.vectors[numbers.start : numbers.stop],
                metadatas=[{"roles": [*data.roles_of(i // CHUNKS), "admin"]} for i in numbers],
            )

    def search(self, vector: Floats, cell: Cell, k: int) -> list[int]:
        """Chunks by vector and filter."""
        found = self._chunks.query(
            query_embeddings=[vector], n_results=k, where=_where(cell.roles), include=[]
        )
        return [int(name) for name in found["ids"][0]]


def _where(roles: tuple[str, ...]) -> dict[str, Any] | None:
    """The filter for these roles."""
    if "admin" in roles:
        return None
    own: list[dict[str, Any]] = [{"roles": {"$contains": role}} for role in roles]
    return own[0] if len(own) == 1 else {"$or": own}
