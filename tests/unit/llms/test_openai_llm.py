from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import Delta, GenerationOptions, LLMError, LLMRefused, LLMUnavailable, Message
from docrag.llms.openai import OpenAILLM
from docrag.testing.conversations import PICTURE_MESSAGE, TOOL_MESSAGES
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


def test_nothing_unknown_is_handed_on(raw: FakeServer) -> None:
    # A hostile server could otherwise place sources in the client.
    chunks = [
        chunk(role="assistant", reasoning_content="hmm"),
        {**chunk("bir", annotations=[{"type": "url_citation"}]), "event": {"type": "source"}},
        chunk(tool_calls=[{"index": 0}]),
        chunk(reason="stop"),
    ]
    expected = [Delta(reasoning="hmm"), Delta(text="bir"), Delta(finish_reason="stop")]
    assert ask(replies(raw, *chunks)) == expected


@pytest.mark.parametrize("names", [("reasoning",), ("reasoning", "reasoning_content")])
def test_thoughts_come_once_under_either_name(raw: FakeServer, names: tuple[str, ...]) -> None:
    thought = dict.fromkeys(names, "ışık")
    deltas = ask(replies(raw, chunk("İş", **thought), chunk(reason="stop")))
    assert deltas[:2] == [Delta(reasoning="ışık"), Delta(text="İş")]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("tool_calls", "stop"),
        ("length", "length"),
        ("stop", "stop"),
        ("eos", "stop"),
    ],
)
def test_reason_is_one_that_clients_know(raw: FakeServer, told: str, reason: str) -> None:
    assert ask(replies(raw, chunk("a"), chunk(reason=told)))[-1].finish_reason == reason


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "function_call"])
def test_calls_have_a_reason_of_their_own(raw: FakeServer, reason: str) -> None:
    call = {"index": 0, "id": "c", "function": {"name": "ara", "arguments": "{}"}}
    deltas = ask(replies(raw, chunk(tool_calls=[call]), chunk(reason=reason)))
    assert deltas[-1].finish_reason == "tool_calls"


def test_parts_of_content_are_told_apart(raw: FakeServer) -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "ışık"}]}
    parts = [thought, {"type": "text", "text": "İş"}, {"type": "resim"}, "x", None]
    body = {"choices": [{"delta": {"content": parts}}]}
    deltas = ask(replies(raw, body, chunk(reason="stop")))
    assert deltas[:-1] == [Delta(reasoning="ışık"), Delta(text="İş")]


def test_options_are_sent_as_asked() -> None:
    options = GenerationOptions(
        top_p=0.5,
        stop=("SON",),
        seed=3,
        tools=({"type": "function", "function": {"name": "ara"}},),
        tool_choice="required",
        response_format={"type": "json_object"},
        reasoning_effort="high",
    )
    with FakeOpenAI(answer="tamam") as fake:
        llm = OpenAILLM(model="m", url=f"{fake.url}/v1")
        list(llm.stream(QUESTION, max_tokens=5, temperature=0.0, options=options))
    (body,) = fake.requests
    assert {key: body[key] for key in list(body)[6:]} == {
        "top_p": 0.5,
        "stop": ["SON"],
        "seed": 3,
        "tools": [{"type": "function", "function": {"name": "ara"}}],
        "tool_choice": "required",
        "response_format": {"type": "json_object"},
        "reasoning_effort": "high",
    }


def test_conversation_keeps_its_form() -> None:
    with FakeOpenAI(answer="tamam") as fake:
        ask(fake, (*TOOL_MESSAGES, PICTURE_MESSAGE))
    _, call, result, picture = fake.requests[0]["messages"]
    assert call["tool_calls"][0]["id"] == result["tool_call_id"] == "call_1"
    assert [part["type"] for part in picture["content"]] == ["text", "image_url"]


@pytest.mark.parametrize(
    ("key", "asked", "expected"),
    [
        ("max_model_len", None, 4096),
        ("meta.n_ctx", None, 4096),
        ("meta.n_ctx_train", None, 4096),
        ("max_model_len", 1024, 1024),
        ("max_model_len", 9999, 4096),
        ("", None, 8192),
        ("", 9999, 9999),
    ],
)
def test_window_is_what_the_server_tells(key: str, asked: int | None, expected: int) -> None:
    with FakeOpenAI(context_window=4096, window_key=key) as fake:
        llm = OpenAILLM(model="m", url=f"{fake.url}/v1", context_window=asked)
        assert llm.context_window == expected


def test_window_without_a_server_is_the_default() -> None:
    assert OpenAILLM(model="m", url="http://127.0.0.1:9/v1").context_window == 8192


def test_cut_prompt_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    long = (Message(role="user", content="gizli madde " * 500),)
    with FakeOpenAI(answer="tamam", fault="truncate", context_window=256) as fake:
        ask(fake, long)
    (record,) = caplog.records
    assert (record.levelno, vars(record)["action"]) == (logging.WARNING, "prompt_truncated")
    assert "gizli" not in caplog.text


def test_stream_that_says_nothing_is_unavailable(raw: FakeServer) -> None:
    with pytest.raises(LLMUnavailable, match="before the answer was complete"):
        ask(replies(raw, chunk()))


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
