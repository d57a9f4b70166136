"""Every built-in chunker keeps the contract of chunkers."""

from __future__ import annotations

import pytest

from docrag.api import Chunker
from docrag.chunkers.auto import AutoChunker
from docrag.chunkers.fixed import FixedChunker
from docrag.chunkers.legal import LegalChunker
from docrag.chunkers.recursive import RecursiveChunker
from docrag.chunkers.semantic import SemanticChunker
from docrag.chunkers.structure import StructureChunker
from docrag.testing.chunkers import ChunkerContract
from docrag.testing.vectors import CountingEmbedder


class TestFixedChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return FixedChunker()


class TestRecursiveChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return RecursiveChunker()


class TestSmallFixedChunker(ChunkerContract):
    max_length = 50

    @pytest.fixture
    def chunker(self) -> Chunker:
        return FixedChunker(size=50, overlap=25)


class TestSmallRecursiveChunker(ChunkerContract):
    max_length = 50

    @pytest.fixture
    def chunker(self) -> Chunker:
        return RecursiveChunker(size=50, overlap=25)


class TestStructureChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return StructureChunker()


class TestSmallStructureChunker(ChunkerContract):
    max_length = 50

    @pytest.fixture
    def chunker(self) -> Chunker:
        return StructureChunker(size=50, overlap=25)


class TestSemanticChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return SemanticChunker(embedder=CountingEmbedder())


class TestSmallSemanticChunker(ChunkerContract):
    max_length = 50

    @pytest.fixture
    def chunker(self) -> Chunker:
        return SemanticChunker(embedder=CountingEmbedder(), size=50, overlap=25, percentile=50)


class TestAutoChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return AutoChunker()


class TestSmallAutoChunker(ChunkerContract):
    max_length = 50

    @pytest.fixture
    def chunker(self) -> Chunker:
        return AutoChunker(size=50, overlap=25)


class TestLegalChunker(ChunkerContract):
    max_length = 1200

    @pytest.fixture
    def chunker(self) -> Chunker:
        return LegalChunker()


class TestSmallLegalChunker(ChunkerContract):
    max_length = 50

    @pytest.fixture
    def chunker(self) -> Chunker:
        return LegalChunker(size=50)
