from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import Delta, LLMError, LLMRefused, LLMUnavailable, Message, Usage
from docrag.llms.anthropic import AnthropicLLM
from docrag.testing.anthropic import FakeAnthropic
from docrag.testing.server import Exchange, FakeServer

QUESTION = (
    Message(role="system", content="Kısa yaz."),
    Message(role="user", content="Işıkları kim söndürür?"),
)


def ask(
    fake: FakeServer,
    messages: Sequence[Message] = QUESTION,
    *,
    api_key: str = "",
    sampled: bool = True,
) -> list[Delta]:
    llm = AnthropicLLM(model="m", url=f"{fake.url}/v1", api_key=api_key, sampled=sampled)
    return list(llm.stream(messages, max_tokens=50, temperature=0.2))


@pytest.fixture
def raw() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def replies(server: FakeServer, *events: object) -> FakeServer:
    """The server, which streams these events and nothing after them."""

    def route(exchange: Exchange) -> None:
        body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
        exchange.send_bytes(body, content_type="text/event-stream")

    server.routes = {("POST", "/v1/messages"): route}
    return server


def text(piece: str) -> dict[str, object]:
    return {"type": "content_block_delta", "delta": {"type": "text_delta", "text": piece}}


def end(reason: str | None, **usage: int) -> tuple[dict[str, object], dict[str, object]]:
    delta = {"stop_reason": reason}
    return {"type": "message_delta", "delta": delta, "usage": usage}, {"type": "message_stop"}


def test_request_has_its_own_form() -> None:
    with FakeAnthropic(answer="tamam") as fake:
        ask(fake, api_key="k")
    assert fake.requests == [
        {
            "model": "m",
            "max_tokens": 50,
            "stream": True,
            "system": "Kısa yaz.",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Işıkları kim söndürür?"}]}
            ],
            "temperature": 0.2,
        }
    ]
    sent = fake.headers[0]
    assert (sent["x-api-key"], sent["anthropic-version"]) == ("k", "2023-06-01")
    assert "authorization" not in sent


def test_sampling_can_be_left_out() -> None:
    with FakeAnthropic(answer="tamam") as fake:
        ask(fake, sampled=False)
    assert "temperature" not in fake.requests[0]


def test_counts_hold_what_came_from_a_cache(raw: FakeServer) -> None:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 1}
    start = {"type": "message_start", "message": {"usage": usage}}
    last = ask(replies(raw, start, text("bir"), *end("end_turn", output_tokens=7)))[-1]
    assert last == Delta(finish_reason="stop", usage=Usage(prompt_tokens=95, completion_tokens=7))


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("tool_use", "stop"),
        ("pause_turn", "stop"),
    ],
)
def test_reason_is_one_that_clients_know(raw: FakeServer, told: str, reason: str) -> None:
    assert ask(replies(raw, text("a"), *end(told)))[-1].finish_reason == reason


def test_arguments_may_come_with_the_start(raw: FakeServer) -> None:
    block = {"type": "tool_use", "id": "t", "name": "ara", "input": {"ş": "ı"}}
    start = {"type": "content_block_start", "content_block": block}
    deltas = ask(replies(raw, start, {"type": "content_block_stop"}, *end("tool_use")))
    pieces = [piece["function"]["arguments"] for each in deltas for piece in each.tool_calls]
    assert "".join(pieces) == '{"ş": "ı"}'
    assert deltas[-1].finish_reason == "tool_calls"


def test_only_known_pieces_are_handed_on(raw: FakeServer) -> None:
    odd = [
        {
            "type": "content_block_start",
            "content_block": {"type": "redacted_thinking", "data": "x"},
        },
        {"type": "content_block_delta", "delta": {"type": "citations_delta", "citation": {}}},
        {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": "{"}},
        {"type": "content_block_delta", "delta": None},
        {"type": "content_block_stop"},
        {"type": "ping"},
    ]
    assert ask(replies(raw, *odd, text("İş"), *end("end_turn"))) == [
        Delta(text="İş"),
        Delta(finish_reason="stop"),
    ]


def test_refusal_of_the_model_is_refusal() -> None:
    with FakeAnthropic(answer="bir iki", fault="declined") as fake:
        with pytest.raises(LLMRefused, match="content filter"):
            ask(fake)


def test_overloaded_before_the_first_word_is_unavailable() -> None:
    with FakeAnthropic(fault="overloaded") as fake:
        with pytest.raises(LLMUnavailable, match="overloaded_error"):
            ask(fake)


def test_stream_without_its_last_event_is_an_error() -> None:
    with FakeAnthropic(answer="bir iki", fault="no_stop") as fake:
        with pytest.raises(LLMError, match="before the answer was complete"):
            ask(fake)


def test_end_without_reason_is_an_error(raw: FakeServer) -> None:
    with pytest.raises(LLMError, match="before the answer was complete"):
        ask(replies(raw, text("a"), *end(None)))


def test_key_that_server_repeats_is_not_shown() -> None:
    with FakeAnthropic(fault="bad_key") as fake:
        with pytest.raises(LLMRefused, match="api_key") as caught:
            ask(fake, api_key="sk-gizli")
    assert "sk-gizli" not in repr(caught.value)


def test_cut_prompt_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    long = (Message(role="user", content="gizli madde " * 500),)
    with FakeAnthropic(answer="tamam", fault="truncate", context_window=256) as fake:
        ask(fake, long)
    (record,) = caplog.records
    assert (record.levelno, vars(record)["action"]) == (logging.WARNING, "prompt_truncated")


@pytest.mark.parametrize(("key", "expected"), [("max_input_tokens", 4096), ("", 8192)])
def test_window_is_what_the_server_tells(key: str, expected: int) -> None:
    with FakeAnthropic(context_window=4096, window_key=key) as fake:
        assert AnthropicLLM(model="m", url=f"{fake.url}/v1").context_window == expected


def test_address_has_no_default() -> None:
    with pytest.raises(TypeError, match="url"):
        AnthropicLLM(model="m")  # type: ignore[call-arg] # the call under test
