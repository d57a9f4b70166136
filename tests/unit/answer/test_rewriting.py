"""A follow-up made to stand alone: what the model is told, and what is believed of its answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from docrag.answer.conversation import Conversation, read
from docrag.answer.rewriting import rewritten
from docrag.api import Delta, GenerationOptions, LLMError, LLMTimeout, Message
from docrag.llms.ollama import OllamaLLM
from docrag.testing.ollama import FakeOllama
from tests.unit.answer.fakes import ScriptedLLM, says

FIRST = "Çalışan temsilcisi sayısı neye göre belirlenir?"
FULL = "620 kişilik işyerinde kaç çalışan temsilcisi olur?"


def talk(question: str = "620 kişi olursa?") -> Conversation:
    """A conversation with one answered question."""
    return read(
        [
            Message(role="system", content="GİZLİ SİSTEM"),
            Message(role="user", content=FIRST),
            Message(role="assistant", content="Çalışan sayısına göre [1]. " + "uzun " * 1000),
            Message(role="user", content=question),
        ]
    )


def rewrite(
    llm: ScriptedLLM | None, *, seconds: float = 5.0, question: str = "620 kişi olursa?"
) -> str:
    """What comes of it."""
    return rewritten(talk(question), llm, seconds=seconds, language="tr")


@pytest.mark.parametrize(
    "answer",
    [
        FULL, f"\n{FULL}\n", f'"{FULL}"', f"<think>hangi konu?</think>\n{FULL}", f"**{FULL}**",
    ],
)  # fmt: skip
def test_one_line_is_believed(answer: str) -> None:
    assert rewrite(ScriptedLLM(says(answer[:9], answer[9:]))) == FULL


@pytest.mark.parametrize(
    "answer",
    [
        "", "  \n", f"{FULL}\n{FULL}", FULL + " uzun" * 100,
        "Kaç çalışan temsilcisi olur?", "620", "Hava nasıl, 620?",
    ],
    ids=["empty", "blank", "lines", "long", "number lost", "bare number", "other topic"],
)  # fmt: skip
def test_anything_else_is_not(answer: str) -> None:
    assert rewrite(ScriptedLLM(says(answer))) == ""


def test_cut_question_is_not_believed() -> None:
    assert rewrite(ScriptedLLM(says(FULL, reason="length"))) == ""


@pytest.mark.parametrize("failure", [LLMTimeout("silence"), LLMError("garbage")])
def test_failure_leaves_the_question_as_it_is(
    failure: LLMError, caplog: pytest.LogCaptureFixture
) -> None:
    assert rewrite(ScriptedLLM([Delta(text="620"), failure])) == ""
    assert "not rewritten" in caplog.text and "620" not in caplog.text


def test_nobody_is_asked_without_time_or_for_a_long_question() -> None:
    llm = ScriptedLLM(says(FULL))
    assert rewrite(llm, seconds=0) == rewrite(llm, question="uzun " * 100) == ""
    assert rewrite(None) == "" and llm.calls == []


def test_model_is_told_the_last_turns_and_little_else() -> None:
    llm = ScriptedLLM(says(FULL))
    rewrite(llm)
    messages, most, heat, options = llm.calls[0]
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[1].content.startswith(f"Kullanıcı: {FIRST}\nYardımcı: Çalışan sayısına göre.")
    assert messages[1].content.endswith("Son mesaj: 620 kişi olursa?")
    assert len(messages[1].content) < 1000 and "GİZLİ" not in str(messages)
    assert (most, heat, options) == (80, 0.0, None)


class Endless:
    """A model that thinks for ever and can be closed."""

    model_id, context_window = "m", 4096

    def __init__(self) -> None:
        self._closed = threading.Event()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        while not self._closed.wait(0.01):
            yield Delta(reasoning="…")


def test_endless_thinking_ends_in_time() -> None:
    started = time.monotonic()
    assert rewritten(talk(), Endless(), seconds=0.1, language="tr") == ""
    assert time.monotonic() - started < 2


@pytest.mark.timeout(20)
def test_silent_server_is_left_in_time() -> None:
    with FakeOllama(fault="slow", delay=30.0) as ollama:
        llm = OllamaLLM(url=ollama.url, model="m")
        started = time.monotonic()
        assert rewritten(talk(), llm, seconds=0.3, language="tr") == ""
        assert time.monotonic() - started < 3
        assert ollama.disconnected.wait(3)


@pytest.mark.timeout(20)
def test_server_is_left_when_nobody_waits_any_more() -> None:
    with FakeOllama(fault="slow", delay=30.0) as ollama:
        llm = OllamaLLM(url=ollama.url, model="m")
        started = time.monotonic()
        assert rewritten(talk(), llm, seconds=15.0, language="tr", gone=lambda: True) == ""
        assert time.monotonic() - started < 3
        assert ollama.disconnected.wait(3)
