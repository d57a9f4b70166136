from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import Delta, LLMError, LLMRefused, Message, Usage
from docrag.llms.ollama import OllamaLLM
from docrag.testing.ollama import FakeOllama
from docrag.testing.server import Exchange, FakeServer

QUESTION = (Message(role="user", content="Yıllık izin kaç gün?"),)


def ask(llm: OllamaLLM, messages: Sequence[Message] = QUESTION) -> list[Delta]:
    return list(llm.stream(messages, max_tokens=50, temperature=0.2))


@pytest.fixture
def raw() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def replies(server: FakeServer, *lines: object) -> OllamaLLM:
    """An LLM whose server streams these lines."""

    def route(exchange: Exchange) -> None:
        body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        exchange.send_bytes(body, content_type="text/plain")

    server.routes = {("POST", "/api/chat"): route}
    return OllamaLLM(url=server.url)


def test_request_fixes_window_and_forbids_cutting() -> None:
    with FakeOllama(answer="tamam") as fake:
        ask(OllamaLLM(url=fake.url, context_window=4096, keep_alive="5m"))
    assert fake.requests == [
        {
            "model": "qwen2.5:7b-instruct",
            "messages": [{"role": "user", "content": "Yıllık izin kaç gün?"}],
            "stream": True,
            "keep_alive": "5m",
            "truncate": False,
            "shift": False,
            "options": {"num_ctx": 4096, "num_predict": 50, "temperature": 0.2},
        }
    ]


def test_thoughts_are_left_out(raw: FakeServer) -> None:
    llm = replies(
        raw,
        {"message": {"role": "assistant", "content": "", "thinking": "hmm"}},
        {"message": {"role": "assistant", "content": "on dört"}},
        {"message": {"content": ""}, "done": True, "done_reason": "stop"},
    )
    assert ask(llm) == [Delta(text="on dört"), Delta(finish_reason="stop")]


def test_counts_come_with_last_delta(raw: FakeServer) -> None:
    llm = replies(raw, {"done": True, "prompt_eval_count": 7, "eval_count": 3})
    assert ask(llm)[-1].usage == Usage(prompt_tokens=7, completion_tokens=3)


def test_text_of_last_line_is_kept(raw: FakeServer) -> None:
    llm = replies(raw, {"message": {"content": "bir"}, "done": True, "done_reason": "length"})
    assert ask(llm) == [Delta(text="bir"), Delta(finish_reason="length")]


@pytest.mark.parametrize("line", [{"done": False}, {"message": None}, {"message": {"content": 5}}])
def test_stream_without_done_is_an_error(raw: FakeServer, line: object) -> None:
    with pytest.raises(LLMError, match="before the answer was complete"):
        ask(replies(raw, line))


def test_error_line_for_long_prompt_is_refusal(raw: FakeServer) -> None:
    with pytest.raises(LLMRefused, match="context window"):
        ask(replies(raw, {"error": "the input length exceeds the context length"}))


def test_unknown_model_names_pull_command() -> None:
    with FakeOllama(fault="no_model") as fake:
        with pytest.raises(LLMRefused, match="ollama pull gemma3:4b"):
            ask(OllamaLLM(url=fake.url, model="gemma3:4b"))


def test_text_before_an_error_is_handed_on() -> None:
    with FakeOllama(answer="bir iki üç dört beş", fault="error_line") as fake:
        stream = OllamaLLM(url=fake.url).stream(QUESTION, max_tokens=50, temperature=0.0)
        assert next(stream).text == "bir"
        with pytest.raises(LLMError, match="broke off with an error"):
            list(stream)


def test_cut_prompt_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    long = (Message(role="user", content="gizli madde " * 500),)
    with FakeOllama(answer="tamam", fault="truncate") as fake:
        ask(OllamaLLM(url=fake.url, context_window=256), long)
    (record,) = caplog.records
    assert (record.levelno, vars(record)["action"]) == (logging.WARNING, "prompt_truncated")
    assert "gizli" not in caplog.text


def test_whole_prompt_is_not_logged_as_cut(caplog: pytest.LogCaptureFixture) -> None:
    long = (Message(role="user", content="yıllık izin maddesi " * 300),)
    with FakeOllama(answer="tamam") as fake:
        ask(OllamaLLM(url=fake.url), long)
    assert caplog.records == []


def test_key_goes_to_proxy_only() -> None:
    llm = OllamaLLM(api_key="gizli")
    assert "gizli" not in repr(vars(llm))


def test_window_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="context_window must be 1 or more"):
        OllamaLLM(context_window=0)
