"""Every built-in reranker keeps the contract."""

from __future__ import annotations

from docrag.api import Reranker
from docrag.rerankers.identity import IdentityReranker
from docrag.testing.rerankers import RerankerContract


class TestIdentity(RerankerContract):
    def reranker(self) -> Reranker:
        return IdentityReranker()
