"""The bytes of a served stream: order, schema, comments, clients that leave, many at once."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import requests

from docrag.api import UnknownName
from tests.e2e.conftest import QUESTION, Schemas, Served
from tests.e2e.serving import eventually
from tests.unit.web.recorded import LIBRECHAT, QUESTIONS, TASKS, librechat, open_webui, wrapped

#: Seconds in which a busy machine sees that a client left; a free one needs less than one.
SOON = 20.0
LONG = "İşveren risk değerlendirmesi yapar [1]. " * 3


def raw(served: Served, **body: Any) -> bytes:  # noqa: ANN401 - JSON
    """Every byte of a streamed answer."""
    return served.post(stream=True, **body).content


def events(data: bytes) -> list[Any]:
    """The JSON of each event before ``[DONE]``."""
    blocks = data.split(b"\n\n")
    assert blocks[-2:] == [b"data: [DONE]", b""]
    return [json.loads(block.removeprefix(b"data: ")) for block in blocks[:-2]]


def is_audited(served: Served, text: str) -> bool:
    """True if the answer with this body has a row of its own."""
    found = re.search(r'"id": ?"chatcmpl-([^"]+)"', text)
    assert found
    try:
        return served.assistant.store.answers.get(found[1]).id == found[1]
    except UnknownName:
        return False


def open_stream(served: Served, *, stream: bool = True) -> socket.socket:
    """A connection on which a chat request was sent."""
    body = {
        "model": "docrag",
        "stream": stream,
        "messages": [{"role": "user", "content": QUESTION}],
    }
    data = json.dumps(body).encode()
    address = urlsplit(served.url)
    connection = socket.create_connection((address.hostname or "", address.port or 0), timeout=60)
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {served.isg_key}\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    connection.sendall(head.encode() + data)
    return connection


def test_each_chunk_fits_the_schema(served: Served, openai_schemas: Schemas) -> None:
    for chunk in events(raw(served, stream_options={"include_usage": True})):
        openai_schemas["CreateChatCompletionStreamResponse"].validate(chunk)


def test_whole_answer_fits_the_schema(served: Served, openai_schemas: Schemas) -> None:
    openai_schemas["CreateChatCompletionResponse"].validate(served.post().json())


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nope", 404),
        ("PUT", "/v1/models", 405),
        ("POST", "/v1/chat/completions", 401),
        ("GET", "/v1/models/", 401),
        ("GET", "/v1//models", 401),
        ("GET", "//v1/models", 401),
    ],
)
def test_errors_fit_the_schema(
    served: Served, openai_schemas: Schemas, method: str, path: str, status: int
) -> None:
    response = requests.request(method, served.url + path, timeout=60, allow_redirects=False)
    assert response.status_code == status
    openai_schemas["ErrorResponse"].validate(response.json())


def test_r2_order_of_the_stream(served: Served) -> None:
    first, *middle, finish, usage = events(raw(served, stream_options={"include_usage": True}))
    assert first["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert all(set(chunk["choices"][0]["delta"]) == {"content"} for chunk in middle)
    assert finish["choices"][0]["finish_reason"] == "stop"
    assert (usage["choices"], set(usage["usage"])) == (
        [],
        {"prompt_tokens", "completion_tokens", "total_tokens"},
    )


def test_r7_silence_is_filled_with_comments(served: Served) -> None:
    served.ollama.answer, served.ollama.delay = "Evet bu", 3.0
    data = raw(served)
    assert b": keep-alive\n" in data
    assert b": keep-alive\n\n" not in data
    assert b"id:" not in b"".join(line[:3] for line in data.split(b"\n"))
    lines = [line for line in data.split(b"\n") if line]
    assert {line for line in lines if not line.startswith(b"data: ")} == {b": keep-alive"}


@pytest.mark.parametrize("fault", ["cut", "error_line"])
def test_b24_dead_model_never_says_stop(served: Served, fault: str) -> None:
    served.ollama.fault = fault
    found = events(raw(served))
    assert found[-1]["error"]["code"] == "service_unavailable"
    assert {c["finish_reason"] for e in found for c in e.get("choices", ())} == {None}


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_b29_left_client_stops_the_model(served: Served, stream: bool) -> None:
    served.ollama.answer, served.ollama.delay = LONG * 20, 1.0
    connection = open_stream(served, stream=stream)
    assert eventually(lambda: served.ollama.chat_calls > 0)
    # Into the middle of the answer.
    time.sleep(2)
    connection.close()
    # Its whole answer would take minutes.
    assert served.ollama.disconnected.wait(SOON)


def test_b29_left_client_stops_a_silent_model(served: Served) -> None:
    served.ollama.answer, served.ollama.delay = LONG, SOON * 3
    connection = open_stream(served)
    assert eventually(lambda: served.ollama.chat_calls > 0)
    connection.close()
    # Long before its first word.
    assert served.ollama.disconnected.wait(SOON)


def test_b30_streams_hold_no_connection(served: Served) -> None:
    """Twenty slow streams and a list each fraction of a second, on a pool of five."""
    served.ollama.answer, served.ollama.delay = LONG, 0.15
    idle: set[str] = set()
    stop = threading.Event()

    def watch() -> list[int]:
        statuses = []
        address = served.assistant.settings.database_url
        with psycopg.connect(address.replace("+psycopg", ""), autocommit=True) as connection:
            while not stop.wait(0.25):
                url = f"{served.url}/api/documents"
                answer = requests.get(url, headers=served.headers(), timeout=60)
                statuses.append(answer.status_code)
                rows = connection.execute(
                    "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
                    " AND state LIKE 'idle in transaction%' AND now() - state_change > '2 s'"
                )
                idle.update(str(row[0]) for row in rows)
        return statuses

    with ThreadPoolExecutor(max_workers=21) as threads:
        watcher = threads.submit(watch)
        answers = list(threads.map(lambda _: events(raw(served)), range(20)))
        stop.set()
        statuses = watcher.result()
    assert [answer[-1]["choices"][0]["finish_reason"] for answer in answers] == ["stop"] * 20
    assert set(statuses) == {200}
    assert len(statuses) >= 4
    assert idle == set()


@pytest.mark.parametrize("stream", [{}, {"stream": False}, {"stream": True}], ids=str)
@pytest.mark.parametrize("task", [*TASKS, *LIBRECHAT])
def test_r11_recorded_task_never_retrieves(
    served: Served, task: str, stream: dict[str, bool]
) -> None:
    """No search, no citation, no audit row, though its text would find the law."""
    body = open_webui(task, **stream) if task in TASKS else librechat(task, **stream)
    answer = requests.post(
        f"{served.url}/v1/chat/completions", json=body, headers=served.headers(), timeout=60
    )
    assert (answer.status_code, answer.headers["x-docrag-retrieval"]) == (200, "skipped-task")
    assert not any(word in answer.text for word in ("annotations", "search_results", served.law_id))
    assert not is_audited(served, answer.text)


@pytest.mark.parametrize("place", range(len(QUESTIONS)))
def test_r11_ordinary_question_is_searched(served: Served, place: int) -> None:
    """Forty questions that mention titles, tags and JSON: none is taken for a task."""
    question = [{"role": "user", "content": QUESTIONS[place]}]
    answer = served.post(messages=question, stream=place % 2 == 0)
    assert (answer.status_code, answer.headers["x-docrag-retrieval"]) == (200, "used")
    assert '"docrag":' in answer.text
    assert is_audited(served, answer.text)


@pytest.mark.parametrize("stream", [False, True])
def test_r11_own_retrieval_of_open_webui_is_taken_off(served: Served, stream: bool) -> None:
    served.ollama.answer = "İşveren yükümlüdür [4], [1]."
    content = wrapped(QUESTION, sources=3)
    answer = served.post(messages=[{"role": "user", "content": content}], stream=stream)
    assert answer.headers["x-docrag-retrieval"] == "used"
    assert "[4]" in answer.text
    # The front end's own number is none of docrag's, whose first one is 4.
    assert "[1]" not in answer.text
    assert served.law_id in answer.text


def test_open_webui_gets_events_in_the_order_of_the_numbers(
    served: Served, openai_schemas: Schemas
) -> None:
    headers = {**served.headers(), "X-OpenWebUI-Chat-Id": "4f1d"}
    body = {"model": "docrag", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    url = f"{served.url}/v1/chat/completions"
    chunks = events(requests.post(url, json=body, headers=headers, timeout=60).content)
    told = [chunk["event"] for chunk in chunks if "event" in chunk]
    assert [event["type"] for event in told] == ["status"] + ["source"] * (len(told) - 1)
    assert told[1]["data"]["metadata"][0]["name"] == "kanun_6331.pdf s. 7, Madde 10"
    assert "annotations" not in chunks[-1]["choices"][0]["delta"]
    for chunk in chunks:
        openai_schemas["CreateChatCompletionStreamResponse"].validate(chunk)
