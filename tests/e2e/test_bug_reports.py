"""Bug reports about other servers' streams and answers, none of which may hold for docrag.

The numbers are those of a list of 32 reports; what a test checks is its name and its first line.
Reports about requests, errors and other routes stand in ``test_bug_requests.py``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests

from tests.e2e.conftest import QUESTION, Served

#: What makes Open WebUI known.
OPEN_WEBUI = {"X-OpenWebUI-Chat-Id": "c1"}
#: Longest line that old versions of aiohttp read, bytes.
LINE = 64 * 1024

Told = list[dict[str, Any]]


def post(served: Served, *, more: dict[str, str] | None = None, **body: Any) -> requests.Response:  # noqa: ANN401 - JSON
    """A chat request with the usual question and further headers."""
    question = [{"role": "user", "content": QUESTION}]
    return requests.post(
        f"{served.url}/v1/chat/completions",
        json={"model": "docrag", "messages": question, **body},
        headers=served.headers() | (more or {}),
        stream=True,
        timeout=60,
    )


def lines(served: Served, **body: Any) -> list[bytes]:  # noqa: ANN401 - JSON
    """The lines of a streamed answer, as they come over the wire."""
    with post(served, stream=True, **body) as response:
        assert response.status_code == 200
        return response.content.split(b"\n")


def chunks(served: Served, **body: Any) -> Told:  # noqa: ANN401 - JSON
    """The JSON of each event of a streamed answer."""
    found = [line[6:] for line in lines(served, **body) if line[:6] == b"data: "]
    assert found[-1] == b"[DONE]"
    return [json.loads(data) for data in found[:-1]]


def choices(told: Told) -> list[dict[str, Any]]:
    """All choices of all chunks."""
    return [choice for chunk in told for choice in chunk["choices"]]


def test_bug_01_usage_chunk_has_an_empty_list_of_choices(served: Served) -> None:
    told = chunks(served, stream_options={"include_usage": True})
    assert all(isinstance(chunk["choices"], list) for chunk in told)
    assert told[-1]["choices"] == []
    assert told[-1]["usage"]["total_tokens"] > 0


def test_bug_02_usage_chunk_comes_only_when_asked_for(served: Served) -> None:
    told = chunks(served)
    assert all(len(chunk["choices"]) == 1 for chunk in told)
    assert all("usage" not in chunk for chunk in told)


@pytest.mark.parametrize("answer", [None, "", "Evet."], ids=["quote", "nothing", "short"])
def test_bug_03_stream_always_ends_with_a_reason(served: Served, answer: str | None) -> None:
    served.ollama.answer = answer
    found = choices(chunks(served))
    assert found[-1]["finish_reason"] == "stop"


def test_bug_04_reason_is_null_before_the_end(served: Served) -> None:
    found = choices(chunks(served))
    assert len(found) > 2
    assert all(choice["finish_reason"] is None for choice in found[:-1])


@pytest.mark.parametrize("model", ["docrag", "docrag-plain"])
def test_bug_05_one_chunk_has_a_reason(served: Served, model: str) -> None:
    reasons = [choice["finish_reason"] for choice in choices(chunks(served, model=model))]
    assert len([reason for reason in reasons if reason is not None]) == 1


@pytest.mark.parametrize("model", ["docrag", "docrag-plain"])
def test_bug_06_role_comes_first(served: Served, model: str) -> None:
    first = choices(chunks(served, model=model))[0]
    assert first["delta"] == {"role": "assistant", "content": ""}


def test_bug_07_role_is_said_once(served: Served) -> None:
    told = choices(chunks(served))
    assert [choice["delta"]["role"] for choice in told if "role" in choice["delta"]] == [
        "assistant"
    ]


@pytest.fixture(scope="module")
def silent(served: Served) -> list[bytes]:
    """The lines of an answer whose model is silent for a while before each piece."""
    served.ollama.fault, served.ollama.answer, served.ollama.delay = "", "Evet bu", 3.0
    return lines(served)


def test_bug_08_comments_are_comments(silent: list[bytes]) -> None:
    assert b": keep-alive" in silent
    assert not any(line.startswith(b"data: :") for line in silent)
    assert {line for line in silent if line[:6] not in (b"data: ", b"")} == {b": keep-alive"}


def test_bug_09_comment_is_no_event(silent: list[bytes]) -> None:
    """One newline after a comment, and no ``id:``: with them openai-python 3.57 reads an event."""
    assert not any(line.startswith((b"id:", b"event:", b"retry:")) for line in silent)
    places = [place for place, line in enumerate(silent) if line == b": keep-alive"]
    assert all(silent[place + 1] != b"" for place in places)


def test_bug_10_no_data_is_empty(silent: list[bytes]) -> None:
    data = [line[5:].strip() for line in silent if line.startswith(b"data:")]
    assert all(json.loads(item) for item in data[:-1])
    assert data[-1] == b"[DONE]"


def test_bug_11_quick_answer_has_no_comments(served: Served) -> None:
    assert not any(line.startswith(b":") for line in lines(served))


@pytest.mark.parametrize("more", [{}, OPEN_WEBUI], ids=["others", "open-webui"])
def test_bug_12_no_line_is_long(served: Served, more: dict[str, str]) -> None:
    served.ollama.answer = f"Başta [1] {' ' * 200_000}sonda."
    found = lines(served, more=more)
    assert max(len(line) for line in found) < LINE
    assert sum(len(line) for line in found) > 200_000


@pytest.mark.parametrize("model", ["docrag", "docrag-plain"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_bug_25_cut_short_answer_says_length(served: Served, model: str, stream: bool) -> None:
    served.ollama.answer = "Evet, işveren risk değerlendirmesi yapmakla yükümlüdür [1]."
    body: dict[str, Any] = {"model": model, "max_tokens": 3}
    found = choices(chunks(served, **body)) if stream else post(served, **body).json()["choices"]
    assert found[-1]["finish_reason"] == "length"


@pytest.mark.parametrize("fault", ["cut", "error_line", "garbage"])
def test_bug_26_broken_stream_says_so(served: Served, fault: str) -> None:
    served.ollama.fault = fault
    told = chunks(served)
    assert set(told[-1]["error"]) == {"message", "type", "param", "code"}
    assert {choice["finish_reason"] for choice in choices(told[:-1])} == {None}
    # For clients that skip what they do not know.
    assert "yarıda" in choices(told[:-1])[-1]["delta"]["content"]


def marks_of(served: Served, *, stream: bool) -> Told:
    """The annotations of an answer."""
    if stream:
        return [mark for c in choices(chunks(served)) for mark in c["delta"].get("annotations", ())]
    found: Told = post(served).json()["choices"][0]["message"]["annotations"]
    return found


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_bug_27_annotations_are_url_citations_only(served: Served, stream: bool) -> None:
    marks = marks_of(served, stream=stream)
    assert {mark["type"] for mark in marks} == {"url_citation"}
    for mark in marks:
        assert set(mark["url_citation"]) == {"url", "title", "start_index", "end_index"}
        assert mark["url_citation"]["url"].startswith("http")


def sources(told: Told) -> Told:
    """What Open WebUI is told of the sources."""
    events = [chunk["event"] for chunk in told if "event" in chunk]
    return [event["data"] for event in events if event["type"] == "source"]


def test_bug_28_source_has_its_label_and_its_address(served: Served) -> None:
    found = sources(chunks(served, more=OPEN_WEBUI))
    (first, *_) = found
    assert (
        first["metadata"][0]["name"] == first["source"]["name"] == "kanun_6331.pdf s. 7, Madde 10"
    )
    assert first["source"]["url"] == f"{served.url}/documents/{served.law_id}?page=7"
    assert all(len(source["document"]) == len(source["metadata"]) for source in found)


def test_bug_29_open_webui_gets_its_sources_as_events(served: Served) -> None:
    told = chunks(served, more=OPEN_WEBUI)
    events = [chunk for chunk in told if "event" in chunk]
    assert {event["event"]["type"] for event in events} == {"status", "source"}
    assert all(event["choices"] == [] for event in events)
    assert not any("annotations" in choice["delta"] for choice in choices(told))
    assert not any("event" in chunk for chunk in chunks(served))


def test_bug_30_proxies_are_told_not_to_hold_back(served: Served) -> None:
    with post(served, stream=True) as response:
        headers = response.headers
    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["X-Accel-Buffering"] == "no"
    assert headers["Cache-Control"] == "no-cache, no-transform"
    assert not {"Content-Length", "Content-Encoding"} & set(headers)
