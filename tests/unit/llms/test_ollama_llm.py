from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import (
    Delta,
    GenerationOptions,
    LLMError,
    LLMRefused,
    LLMUnavailable,
    Message,
    SettingsError,
    Usage,
)
from docrag.llms.ollama import OllamaLLM
from docrag.llms.stream import Answering
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


def test_thoughts_have_deltas_of_their_own(raw: FakeServer) -> None:
    llm = replies(
        raw,
        {"message": {"role": "assistant", "content": "", "thinking": "hmm"}},
        {"message": {"role": "assistant", "content": "on dört", "thinking": "ışık"}},
        {"message": {"content": ""}, "done": True, "done_reason": "stop"},
    )
    assert ask(llm) == [
        Delta(reasoning="hmm"),
        Delta(reasoning="ışık"),
        Delta(text="on dört"),
        Delta(finish_reason="stop"),
    ]


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
    with pytest.raises(SettingsError, match="context_window must be a whole number, 1 or more"):
        OllamaLLM(context_window=0)


@pytest.mark.parametrize(
    ("context_length", "parameters", "asked", "expected"),
    [
        (32_768, "", None, 8192),
        (2048, "", None, 2048),
        (32_768, 'stop "<|im_end|>"\nnum_ctx                        16384', None, 16_384),
        (32_768, "num_ctx 16384", 4096, 4096),
        (2048, "", 4096, 2048),
        (None, "", None, 8192),
        (None, "", 4096, 4096),
    ],
)
def test_window_of_request_suits_model(
    context_length: int | None, parameters: str, asked: int | None, expected: int
) -> None:
    with FakeOllama(answer="tamam", context_length=context_length, parameters=parameters) as fake:
        llm = OllamaLLM(url=fake.url, context_window=asked)
        ask(llm)
        ask(llm)
        assert [body["options"]["num_ctx"] for body in fake.requests] == [expected, expected]
        assert (llm.context_window, fake.show_calls) == (expected, 1)


def test_building_and_dropping_asks_nothing() -> None:
    with FakeOllama() as fake:
        OllamaLLM(url=fake.url).stream(QUESTION, max_tokens=5, temperature=0.0)
        assert (fake.show_calls, fake.chat_calls) == (0, 0)


def test_close_ends_the_question_for_the_window(raw: FakeServer) -> None:
    raw.routes = {("POST", "/api/show"): lambda exchange: exchange.wait(30.0)}
    stream = OllamaLLM(url=raw.url).stream(QUESTION, max_tokens=5, temperature=0.0)
    assert isinstance(stream, Answering)
    timer = threading.Timer(0.1, stream.close)
    timer.start()
    start = time.monotonic()
    assert list(stream) == []
    assert time.monotonic() - start < 2.0
    timer.join()


def test_calls_make_stop_a_reason_of_their_own(raw: FakeServer) -> None:
    call = {"function": {"name": "ara", "arguments": {"soru": "İSG", "sayı": None}}, "id": "x"}
    llm = replies(
        raw,
        {"message": {"content": "", "tool_calls": [call]}},
        {"done": True, "done_reason": "stop"},
    )
    first, last = ask(llm)
    function = first.tool_calls[0]["function"]
    assert function == {"name": "ara", "arguments": '{"soru": "İSG", "sayı": null}'}
    assert last.finish_reason == "tool_calls"


@pytest.mark.parametrize("reason", ["stop", "load", "unload", "", None])
def test_unknown_reason_is_stop(raw: FakeServer, reason: object) -> None:
    assert ask(replies(raw, {"done": True, "done_reason": reason}))[-1].finish_reason == "stop"


def test_nothing_before_the_error_is_unavailable(raw: FakeServer) -> None:
    with pytest.raises(LLMUnavailable, match="broke off"):
        ask(replies(raw, {"error": "llama runner process has terminated"}))


def test_text_before_the_error_makes_it_final(raw: FakeServer) -> None:
    with pytest.raises(LLMError) as caught:
        ask(replies(raw, {"message": {"content": "bir"}}, {"error": "terminated"}))
    assert not isinstance(caught.value, LLMUnavailable)


@pytest.mark.parametrize(
    ("capabilities", "sent"), [(("completion",), False), (("completion", "thinking"), True)]
)
def test_effort_is_for_models_that_think(capabilities: tuple[str, ...], sent: bool) -> None:
    options = GenerationOptions(reasoning_effort="high")
    with FakeOllama(answer="tamam", capabilities=capabilities) as fake:
        llm = OllamaLLM(url=fake.url)
        list(llm.stream(QUESTION, max_tokens=5, temperature=0.0, options=options))
    assert ("think" in fake.requests[0]) is sent
