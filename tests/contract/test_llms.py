"""Every built-in language model backend keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from docrag.api import LLM
from docrag.llms.anthropic import AnthropicLLM
from docrag.llms.ollama import OllamaLLM
from docrag.llms.openai import OpenAILLM
from docrag.testing.anthropic import FakeAnthropic
from docrag.testing.chat import Reply
from docrag.testing.llms import ANSWER, LLMContract, Upstream
from docrag.testing.ollama import FakeOllama
from docrag.testing.openai import FakeOpenAI


class TestOllama(LLMContract):
    @contextmanager
    def open(
        self,
        *,
        answer: str | Reply = ANSWER,
        fault: str = "",
        delay: float = 0.0,
        timeout: float = 20.0,
    ) -> Iterator[tuple[LLM, Upstream]]:
        with FakeOllama(answer=answer, fault=fault, delay=delay) as fake:
            yield OllamaLLM(url=fake.url, context_window=2048, timeout=timeout), fake


class TestOpenAI(LLMContract):
    @contextmanager
    def open(
        self,
        *,
        answer: str | Reply = ANSWER,
        fault: str = "",
        delay: float = 0.0,
        timeout: float = 20.0,
    ) -> Iterator[tuple[LLM, Upstream]]:
        with FakeOpenAI(
            answer=answer,
            fault=fault,
            delay=delay,
            context_window=2048,
            window_key="max_model_len",
        ) as fake:
            yield OpenAILLM(model="m", url=f"{fake.url}/v1", timeout=timeout), fake


class TestAnthropic(LLMContract):
    @contextmanager
    def open(
        self,
        *,
        answer: str | Reply = ANSWER,
        fault: str = "",
        delay: float = 0.0,
        timeout: float = 20.0,
    ) -> Iterator[tuple[LLM, Upstream]]:
        with FakeAnthropic(answer=answer, fault=fault, delay=delay, context_window=2048) as fake:
            yield AnthropicLLM(model="m", url=f"{fake.url}/v1", timeout=timeout), fake
