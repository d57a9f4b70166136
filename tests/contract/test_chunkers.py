"""Every built-in chunker keeps the contract of chunkers."""

from __future__ import annotations

import pytest

from docrag.api import Chunker
from docrag.chunkers.fixed import FixedChunker
from docrag.chunkers.recursive import RecursiveChunker
from docrag.testing.chunkers import ChunkerContract


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
