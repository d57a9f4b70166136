from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import Delta, LLMError, LLMRefused, Message
from docrag.llms.openai import OpenAILLM
from docrag.testing.openai import FakeOpenAI
from docrag.testing.server import Exchange, FakeServer

ANSWER = "İşveren ışıkları söndürür; Iğdır dâhil. [1]"
QUESTION = (Message(role="user", content="Işıkları kim söndürür?"),)


def ask(
    fake: FakeServer, messages: Sequence[Message] = QUESTION, *, api_key: str = ""
) -> list[Delta]:
    llm = OpenAILLM(model="m", url=f"{fake.url}/v1", api_key=api_key)
    return list(llm.stream(messages, max_tokens=50, temperature=0.2))


@pytest.fixture
def raw() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def replies(server: FakeServer, *chunks: object) -> FakeServer:
    """The server, which streams these chunks and nothing after them."""

    def route(exchange: Exchange) -> None:
        body = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
        exchange.send_bytes(body, content_type="text/event-stream")

    server.routes = {("POST", "/v1/chat/completions"): route}
    return server


def chunk(text: str | None = None, reason: object = None, **more: object) -> dict[str, object]:
    return {"choices": [{"delta": {"content": text, **more}, "finish_reason": reason}]}


def test_request_asks_for_stream_with_usage() -> None:
    with FakeOpenAI(answer="tamam") as fake:
        ask(fake)
    assert fake.requests == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Işıkları kim söndürür?"}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 50,
            "temperature": 0.2,
        }
    ]


@pytest.mark.parametrize("fault", ["", "odd", "no_done", "finish_everywhere"])
def test_answer_arrives_whole(fault: str) -> None:
    with FakeOpenAI(answer=ANSWER, fault=fault) as fake:
        deltas = ask(fake)
    assert "".join(delta.text for delta in deltas) == ANSWER
    assert [delta.finish_reason for delta in deltas if delta.finish_reason] == ["stop"]
    assert deltas[-1].usage is not None


def test_missing_finish_reason_is_an_error() -> None:
    with FakeOpenAI(answer=ANSWER, fault="no_finish") as fake:
        with pytest.raises(LLMError, match="before the answer was complete"):
            ask(fake)


def test_content_filter_is_refusal() -> None:
    with FakeOpenAI(answer=ANSWER, fault="filter") as fake:
        with pytest.raises(LLMRefused, match="content filter"):
            ask(fake)


def test_key_that_server_repeats_is_not_shown() -> None:
    with FakeOpenAI(fault="bad_key") as fake, pytest.raises(LLMRefused, match="api_key") as caught:
        ask(fake, api_key="sk-gizli")
    assert "sk-gizli" not in repr(caught.value)


def test_long_prompt_is_refused() -> None:
    with FakeOpenAI(context_window=10) as fake, pytest.raises(LLMRefused, match="context window"):
        ask(fake, (Message(role="user", content="uzun bir soru " * 20),))


def test_only_text_is_handed_on(raw: FakeServer) -> None:
    chunks = [
        chunk(role="assistant", reasoning_content="hmm"),
        {**chunk("bir"), "event": {"type": "source"}},
        chunk(tool_calls=[{"index": 0}]),
        chunk(reason="stop"),
    ]
    assert ask(replies(raw, *chunks)) == [Delta(text="bir"), Delta(finish_reason="stop")]


@pytest.mark.parametrize("reason", [None, ""])
def test_empty_reason_is_none(raw: FakeServer, reason: object) -> None:
    with pytest.raises(LLMError, match="before the answer was complete"):
        ask(replies(raw, chunk("bir", reason)))


def test_reason_on_every_chunk_needs_end_mark(raw: FakeServer) -> None:
    # A server that sends a reason each time and dies must not look complete.
    with pytest.raises(LLMError, match="before the answer was complete"):
        ask(replies(raw, chunk("bir", "stop"), chunk(" iki", "stop")))


def test_error_after_reason_is_an_error(raw: FakeServer) -> None:
    chunks = [chunk("bir", "stop"), {"error": {"message": "x", "code": "engine_dead"}}]
    with pytest.raises(LLMError, match="engine_dead"):
        ask(replies(raw, *chunks))


def test_error_as_plain_text_is_an_error(raw: FakeServer) -> None:
    with pytest.raises(LLMError, match="broke off"):
        ask(replies(raw, {"error": "overloaded"}))


def test_answer_that_is_no_stream_is_an_error(raw: FakeServer) -> None:
    raw.routes = {("POST", "/v1/chat/completions"): lambda exchange: exchange.send_json({})}
    with pytest.raises(LLMError, match="before the answer was complete"):
        ask(raw)


def test_address_has_no_default() -> None:
    with pytest.raises(TypeError, match="url"):
        OpenAILLM(model="m")  # type: ignore[call-arg] # the call under test
