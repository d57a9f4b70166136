from __future__ import annotations

import threading
import time

from docrag.api import Message
from docrag.llms.ollama import OllamaLLM
from docrag.llms.stream import Answering
from docrag.testing.ollama import FakeOllama


def test_close_from_another_thread_ends_iteration() -> None:
    with FakeOllama(answer="bir iki üç dört", fault="slow", delay=20.0) as fake:
        llm = OllamaLLM(url=fake.url)
        stream = llm.stream([Message(role="user", content="?")], max_tokens=9, temperature=0.0)
        assert isinstance(stream, Answering)
        timer = threading.Timer(0.2, stream.close)
        timer.start()
        start = time.monotonic()
        assert list(stream) == []
        assert time.monotonic() - start < 3.0
        assert fake.disconnected.wait(3.0)
        timer.join()


def test_close_from_another_thread_ends_reading_of_the_prompt() -> None:
    def think(_: object) -> str:
        time.sleep(3.0)
        return "geç kaldı"

    with FakeOllama(answer=think) as fake:
        llm = OllamaLLM(url=fake.url)
        stream = llm.stream([Message(role="user", content="?")], max_tokens=9, temperature=0.0)
        assert isinstance(stream, Answering)
        timer = threading.Timer(0.1, stream.close)
        timer.start()
        start = time.monotonic()
        assert list(stream) == []
        assert time.monotonic() - start < 2.5
        timer.join()
