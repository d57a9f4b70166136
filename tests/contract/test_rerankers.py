"""Every built-in reranker keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docrag.api import Reranker
from docrag.rerankers.http import HttpReranker
from docrag.rerankers.identity import IdentityReranker
from docrag.testing.rerank import SERVERS, FakeReranker
from docrag.testing.rerankers import RerankerContract


class TestIdentity(RerankerContract):
    def reranker(self) -> Reranker:
        return IdentityReranker()


class TestHttp(RerankerContract):
    @pytest.fixture(autouse=True, params=SERVERS)
    def _server(self, request: pytest.FixtureRequest) -> Iterator[None]:
        with FakeReranker(server=request.param) as fake:
            self.built = HttpReranker(url=fake.url, shape=request.param, model="m", batch_size=3)
            yield

    def reranker(self) -> Reranker:
        return self.built


class TestHttpWithoutServer(RerankerContract):
    """A reranker that keeps the order on a failure keeps the contract too."""

    def reranker(self) -> Reranker:
        return HttpReranker(url="http://127.0.0.1:9", timeout=0.1, on_error="keep")
