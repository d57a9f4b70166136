"""Every built-in language model backend keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from docrag.api import LLM
from docrag.llms.ollama import OllamaLLM
from docrag.llms.openai import OpenAILLM
from docrag.testing.llms import ANSWER, LLMContract, Upstream
from docrag.testing.ollama import FakeOllama
from docrag.testing.openai import FakeOpenAI


class TestOllama(LLMContract):
    @contextmanager
    def open(
        self, *, answer: str = ANSWER, fault: str = "", delay: float = 0.0, timeout: float = 20.0
    ) -> Iterator[tuple[LLM, Upstream]]:
        with FakeOllama(answer=answer, fault=fault, delay=delay) as fake:
            yield OllamaLLM(url=fake.url, context_window=2048, timeout=timeout), fake


class TestOpenAI(LLMContract):
    @contextmanager
    def open(
        self, *, answer: str = ANSWER, fault: str = "", delay: float = 0.0, timeout: float = 20.0
    ) -> Iterator[tuple[LLM, Upstream]]:
        with FakeOpenAI(answer=answer, fault=fault, delay=delay, context_window=2048) as fake:
            url = f"{fake.url}/v1"
            yield OpenAILLM(model="m", url=url, context_window=2048, timeout=timeout), fake
