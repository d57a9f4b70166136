"""Every built-in judge keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docrag.api import Judge
from docrag.judges.http import HttpJudge
from docrag.judges.llm import LlmJudge
from docrag.testing.judge import SERVERS, FakeClassifier
from docrag.testing.judges import JudgeContract, WordLLM


class TestHttp(JudgeContract):
    @pytest.fixture(autouse=True, params=SERVERS)
    def _server(self, request: pytest.FixtureRequest) -> Iterator[None]:
        with FakeClassifier(server=request.param) as fake:
            self.built = HttpJudge(url=fake.url, shape=request.param, batch_size=7)
            yield

    def judge(self) -> Judge:
        return self.built


class TestLlm(JudgeContract):
    @pytest.fixture(autouse=True, params=["EVET", "Hayır.", "bilmem"])
    def _word(self, request: pytest.FixtureRequest) -> None:
        self.built = LlmJudge(llm=WordLLM(request.param))

    def judge(self) -> Judge:
        return self.built
