"""Prompts in a small window, and in Turkish: what reaches a model that cuts, or prefers English."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from docrag.api import Access, Message
from docrag.testing.ollama import FakeOllama
from tests.integration.assistant.conftest import Opener

STAFF = Access.of(["isg"])
FALLBACK = "Bu bilgi belgelerde bulunmuyor."
QUESTIONS = [
    "Forklift hızı en fazla kaçtır?",
    "Forklift hızı kaç kilometre olabilir?",
    "Depoda forklift hızı nedir?",
    "FORKLİFT HIZI NE KADAR?",
    "Forklift ile hız sınırı nedir?",
    "Forklift hızı için sınır var mı?",
    "forklift hizi en fazla kactir",
    "Forklift kullanırken hız ne olmalı?",
    "Hangi hız forklift için uygundur?",
    "Forklift neden hızlı gitmez?",
]


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    """A fake Ollama server."""
    with FakeOllama() as fake:
        yield fake


def english_unless_told(request: Mapping[str, Any]) -> str:
    """Answers English unless the last line of the system message is Turkish."""
    system = str(request["messages"][0]["content"])
    last = system.splitlines()[-1]
    if not any(sign in last for sign in "ıışğçöüİ"):
        return "The speed is ten kilometres [1]."
    return (
        "Hız on kilometredir [1]." if "ten kilometres" in str(request["messages"][-1]) else FALLBACK
    )


def test_b16_oldest_turns_go_and_everything_else_survives(
    open_assistant: Opener, ollama: FakeOllama, caplog: pytest.LogCaptureFixture
) -> None:
    ollama.fault = "truncate"
    options = {"url": ollama.url, "model": "m", "context_window": 4096}
    assistant = open_assistant(
        llm="ollama", llm_options=options, embedder="none", retriever="lexical", rewrite_seconds=0.0
    )
    assistant.store.roles.create("isg")
    for n in range(5):
        words = " ".join(f"bölüm{n}x{word}" for word in range(60))
        text = f"Forklift hızı kuralı {n}. {words} son{n}son."
        assistant.ingest(text.encode(), filename=f"kural{n}.txt", roles={"isg"})
    history = [
        Message(role=role, content=f"{role} tur {n} " + "eski söz " * 60)
        for n in range(10)
        for role in ("user", "assistant")
    ]
    question = "Forklift hızı kuralı nedir, bölüm bölüm yazar mısın?"
    with caplog.at_level(logging.INFO):
        answer = assistant.ask([*history, Message(role="user", content=question)], access=STAFF)
    (prompt,) = ollama.prompts
    assert ollama.requests[-1]["options"]["num_ctx"] == 4096
    assert "Yalnızca pasajlarda yazanı söyle" in prompt and question in prompt
    assert len(answer.context) == 5
    assert all(f"son{n}son" in prompt for n in range(5))
    assert "user tur 9" in prompt and "user tur 0" not in prompt
    assert "dropped" in caplog.text and "eski söz" not in caplog.text


@pytest.mark.parametrize("question", QUESTIONS)
def test_b33_turkish_question_is_answered_in_turkish(
    open_assistant: Opener, ollama: FakeOllama, question: str
) -> None:
    ollama.answer = english_unless_told
    options = {"url": ollama.url, "model": "m"}
    assistant = open_assistant(
        llm="ollama", llm_options=options, embedder="none", retriever="lexical",
        evidence=0.0,
    )  # fmt: skip
    assistant.store.roles.create("isg")
    english = "Forklift: the speed limit (hız) is ten kilometres per hour in the warehouse."
    document = assistant.ingest(english.encode(), filename="speed.txt", roles={"isg"})
    system = Message(role="system", content="You are a helpful assistant.")
    messages = [system, Message(role="user", content=question)]
    assert assistant.ask(messages, access=STAFF).text == "Hız on kilometredir [1]."
    assistant.delete(document.id, access=Access.of(["admin"]))
    assert assistant.ask(messages, access=STAFF).text == FALLBACK


def test_b33_model_that_declines_says_the_exact_sentence(
    open_assistant: Opener, ollama: FakeOllama
) -> None:
    ollama.answer = english_unless_told
    assistant = open_assistant(
        llm="ollama", llm_options={"url": ollama.url, "model": "m"}, evidence=0.0
    )
    assistant.store.roles.create("isg")
    assistant.ingest(b"Forklift: no limit is known.", filename="a.txt", roles={"isg"})
    answer = assistant.ask("Forklift hızı kaçtır?", access=STAFF)
    assert answer.text == FALLBACK
    assert answer.abstention is not None and answer.abstention.reason == "model_declined"
