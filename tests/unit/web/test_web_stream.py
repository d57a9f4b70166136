"""Streamed answers: rules R1 to R8 of the wire, chunk by chunk."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.api import Abstention, Delta, LLMError
from docrag.web.openai import pump, turns

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Chunks = Callable[..., list[dict[str, Any]]]
Ask = Callable[..., TestResponse]


def content(chunks: list[dict[str, Any]]) -> str:
    """The text that a client puts together."""
    deltas = [choice["delta"] for chunk in chunks for choice in chunk.get("choices", ())]
    return "".join(delta.get("content", "") for delta in deltas)


def reasons(chunks: list[dict[str, Any]]) -> list[str | None]:
    """Finish reasons of all choices, in order."""
    return [choice["finish_reason"] for chunk in chunks for choice in chunk.get("choices", ())]


def broken(*texts: str) -> Callable[[], Iterator[Delta]]:
    """A model that dies after these pieces."""

    def script() -> Iterator[Delta]:
        yield from (Delta(text=text) for text in texts)
        raise LLMError("the connection broke")

    return script


def test_r1_each_chunk_is_complete(chunks: Chunks) -> None:
    found = chunks(stream_options={"include_usage": True})
    assert {chunk["object"] for chunk in found} == {"chat.completion.chunk"}
    assert len({(chunk["id"], chunk["created"], chunk["model"]) for chunk in found}) == 1
    assert found[0]["id"].startswith("chatcmpl-")
    assert all(isinstance(chunk["choices"], list) for chunk in found)


def test_r2_role_comes_first(chunks: Chunks) -> None:
    first, *rest = chunks()
    assert first["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert all("role" not in chunk["choices"][0]["delta"] for chunk in rest)


def test_r3_one_finish_reason_at_the_end(chunks: Chunks) -> None:
    found = reasons(chunks())
    assert found[-1] == "stop"
    assert set(found[:-1]) == {None}


def test_r3_length_is_told(chunks: Chunks, assistant: StandIn) -> None:
    assistant.script = lambda: iter([Delta(text="uzun"), Delta(finish_reason="length")])
    assert reasons(chunks())[-1] == "length"


def test_r2_usage_only_when_asked(chunks: Chunks) -> None:
    last = chunks(stream_options={"include_usage": True})[-1]
    assert (last["choices"], last["usage"]["total_tokens"]) == ([], 13)
    assert not any("usage" in chunk for chunk in chunks())


def test_r6_annotations_in_finish_chunk(chunks: Chunks) -> None:
    found = chunks()
    with_marks = [chunk for chunk in found if "annotations" in str(chunk)]
    assert with_marks == [found[-1]]
    (mark,) = found[-1]["choices"][0]["delta"]["annotations"]
    assert (mark["type"], mark["index"]) == ("url_citation", 0)
    place = mark["url_citation"]
    assert content(found)[place["start_index"] : place["end_index"]] == "[1]"


def test_search_results_in_first_chunk(chunks: Chunks) -> None:
    first, *rest = chunks()
    assert [set(entry) for entry in first["search_results"]] == [{"title", "url", "snippet"}] * 2
    assert not any("search_results" in chunk for chunk in rest)


def test_verdict_in_finish_chunk(chunks: Chunks) -> None:
    assert [source["number"] for source in chunks()[-1]["docrag"]["sources"]] == [1]


def test_abstention_streams_without_sources(chunks: Chunks, assistant: StandIn) -> None:
    assistant.abstention = Abstention(reason="weak_evidence")
    assistant.script = lambda: iter([Delta(text="Bilgi yok."), Delta(finish_reason="stop")])
    found = chunks()
    assert content(found) == "Bilgi yok."
    assert "search_results" not in found[0]
    verdict = found[-1]["docrag"]
    assert (verdict["answered"], verdict["reason"]) == (False, "weak_evidence")
    assert verdict["sources"] == []
    assert found[-1]["choices"][0]["delta"] == {}


def test_r8_broken_answer_ends_with_error(chunks: Chunks, assistant: StandIn) -> None:
    assistant.script = broken("İşveren ", "yükümlü ", "dür ")
    found = chunks()
    assert set(found[-1]) == {"error"}
    assert set(found[-1]["error"]) == {"message", "type", "param", "code"}
    assert set(reasons(found)) == {None}
    assert content(found).endswith("(Yanıt yarıda kesildi.)")


def test_r8_missing_finish_is_an_error(chunks: Chunks, assistant: StandIn) -> None:
    assistant.script = lambda: iter([Delta(text="yarım"), Delta(text="kaldı")])
    found = chunks()
    assert "error" in found[-1]
    assert set(reasons(found)) == {None}


def test_r7_silence_sends_a_comment(
    ask: Ask, assistant: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pump, "SILENCE", 0.05)
    monkeypatch.setattr(pump, "POLL", 0.04)
    monkeypatch.setattr(turns, "FIRST_PIECE", 0.05)
    pause = threading.Event()

    def slow() -> Iterator[Delta]:
        pause.wait(0.5)
        yield Delta(text="geldi")
        yield Delta(finish_reason="stop")

    assistant.script = slow
    raw = ask(stream=True).get_data(as_text=True)
    comments = [line for line in raw.split("\n") if line and not line.startswith("data: ")]
    assert len(comments) >= 3
    assert set(comments) == {": keep-alive"}
    assert ": keep-alive\n\n" not in raw
    assert "geldi" in raw


def test_stream_has_no_other_lines(ask: Ask) -> None:
    lines = ask(stream=True).get_data().split(b"\n")
    assert all(line == b"" or line.startswith(b"data: ") for line in lines)


def test_headers_keep_proxies_from_buffering(ask: Ask) -> None:
    headers = ask(stream=True).headers
    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["Cache-Control"] == "no-cache, no-transform"
    assert headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in headers


def test_lines_stay_short(ask: Ask, assistant: StandIn) -> None:
    long = "ğüşiöç" * 20_000
    assistant.script = lambda: iter([Delta(text=long + " [1]"), Delta(finish_reason="stop")])
    raw = ask(stream=True).get_data()
    assert max(len(line) for line in raw.split(b"\n")) < 64 * 1024
    data = [line[6:] for line in raw.split(b"\n") if line.startswith(b"data: {")]
    assert content([json.loads(line) for line in data]) == long + " [1]"


def test_many_markers_stay_short(ask: Ask, assistant: StandIn) -> None:
    text = "iş [1] güvenliği [2] " * 2_000
    assistant.script = lambda: iter([Delta(text=text), Delta(finish_reason="stop")])
    raw = ask(stream=True).get_data()
    assert max(len(line) for line in raw.split(b"\n")) < 64 * 1024


def test_left_client_closes_the_turn(
    client: FlaskClient, assistant: StandIn, reader: dict[str, str]
) -> None:
    closed = threading.Event()

    class Endless:
        def __iter__(self) -> Iterator[Delta]:
            return self

        def __next__(self) -> Delta:
            if closed.wait(0.02):
                raise StopIteration
            return Delta(text="x")

        def close(self) -> None:
            closed.set()

    assistant.script = Endless
    body = {"model": "docrag", "stream": True, "messages": [{"role": "user", "content": "?"}]}
    response = client.post("/v1/chat/completions", json=body, headers=reader, buffered=False)
    next(iter(response.response))
    response.close()
    assert closed.wait(2)
