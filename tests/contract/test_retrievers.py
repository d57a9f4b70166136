"""Every built-in retriever keeps the contract."""

from __future__ import annotations

from docrag.api import ChunkStore, Embedder, Retriever
from docrag.retrievers.dense import DenseRetriever
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.testing.retrievers import RetrieverContract


class TestDense(RetrieverContract):
    def retriever(self, store: ChunkStore, embedder: Embedder) -> Retriever:
        return DenseRetriever(store=store, embedder=embedder)


class TestLexical(RetrieverContract):
    def retriever(self, store: ChunkStore, embedder: Embedder) -> Retriever:
        return LexicalRetriever(store=store, embedder=embedder)


class TestHybrid(RetrieverContract):
    def retriever(self, store: ChunkStore, embedder: Embedder) -> Retriever:
        return HybridRetriever(store=store, embedder=embedder)


class TestHybridWithoutEmbedder(RetrieverContract):
    def retriever(self, store: ChunkStore, embedder: Embedder) -> Retriever:
        return HybridRetriever(store=store)


class TestHybridOfOneCandidate(RetrieverContract):
    """The smallest pool, which a larger number of chunks widens."""

    def retriever(self, store: ChunkStore, embedder: Embedder) -> Retriever:
        return HybridRetriever(store=store, embedder=embedder, pool=1, cosine_weight=20.0)
