"""LlamaIndex's ``PGVectorStore`` (package ``llama-index-vector-stores-postgres``).

Roles: a list in the metadata, ``{"roles": ["r10", "c50"]}``, filtered by ``FilterOperator.ANY``,
which is made for exactly this; the key is declared in ``indexed_metadata_keys`` as ``text[]``, so
that the store makes its index on it. An administrator asks without a filter.

Index: ``hnsw_kwargs`` as in the store's own example, m 16, ef_construction 64, ef_search 40,
cosine. The store makes it on the first call and would fill it row by row; here it is dropped while
loading and made anew by the very statement that it was made with, which gives no worse an index.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import (
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)
from llama_index.vector_stores.postgres import PGVectorStore
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from eval.filtered import CHUNKS, DIM, Cell, FilteredSet, Floats

#: Chunks given at a time.
STEP: Final = 2_000
#: What the store calls its table and index for ``table_name="chunks"``.
TABLE, INDEX = "data_chunks", "data_chunks_embedding_idx"


class LlamaindexPgvector:
    """Chunks in ``data_chunks``, found by ``query``."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = make_url(url)
        self._store = PGVectorStore.from_params(
            host=self._url.host,
            port=str(self._url.port),
            database=self._url.database,
            user=self._url.username,
            password=self._url.password,
            table_name="chunks",
            embed_dim=DIM,
            hnsw_kwargs={
                "hnsw_m": 16,
                "hnsw_ef_construction": 64,
                "hnsw_ef_search": 40,
                "hnsw_dist_method": "vector_cosine_ops",
            },
            indexed_metadata_keys={("roles", "text[]")},
        )

    def load(self, data: FilteredSet) -> None:
        """Add all chunks, with the index away meanwhile."""
        self._store.add([])
        engine = create_engine(self._url).execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            query = text("SELECT pg_get_indexdef(CAST(:name AS regclass))")
            made = connection.scalar(query, {"name": INDEX})
            connection.execute(text(f"DROP INDEX {INDEX}"))
            for start in range(0, len(data.vectors), STEP):
                stop = min(start + STEP, len(data.vectors))
                self._store.add([_node(data, i) for i in range(start, stop)])
            connection.execute(text(str(made)))
            connection.execute(text(f"VACUUM ANALYZE {TABLE}"))
        engine.dispose()

    def search(self, vector: Floats, cell: Cell, k: int) -> list[int]:
        """Chunks by vector and filter."""
        query = VectorStoreQuery(
            query_embedding=vector.tolist(), similarity_top_k=k, filters=_filters(cell.roles)
        )
        return [int(name) for name in self._store.query(query).ids or []]


def _node(data: FilteredSet, number: int) -> TextNode:
    """A chunk as the store takes it."""
    return TextNode(
        id_=str(number),
        text=str(number),
        embedding=data.vectors[number].tolist(),
        metadata={"roles": data.roles_of(number // CHUNKS)},
    )


def _filters(roles: tuple[str, ...]) -> MetadataFilters | None:
    """The filter for these roles."""
    if "admin" in roles:
        return None
    own = MetadataFilter(key="roles", operator=FilterOperator.ANY, value=list(roles))
    return MetadataFilters(filters=[own])
