"""How many uploads one process holds, and how many answers it writes, at a time."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.api import Delta, LLMError, StoreUnavailable
from docrag.settings import Settings
from docrag.web.errors import RequestRefused
from docrag.web.gate import KEY, Admission, Gate, streams
from docrag.web.openai import turns

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Ask = Callable[..., TestResponse]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads to go through a gate."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_gate_sends_away_who_cannot_wait() -> None:
    gate = Gate(inside=1, waiting=0)
    with gate.enter(), pytest.raises(RequestRefused) as caught, gate.enter():
        pytest.fail("two are inside")
    assert caught.value.kind.status == 503
    assert "Retry-After" in caught.value.headers


def test_gate_lets_the_waiting_in_later(pool: ThreadPoolExecutor) -> None:
    gate, entered = Gate(inside=1, waiting=1), threading.Event()

    def go() -> None:
        with gate.enter():
            entered.set()

    with gate.enter():
        done = pool.submit(go)
        assert not entered.wait(0.05)
    done.result(5)
    assert entered.is_set()


def test_gate_opens_again_after_a_failure() -> None:
    gate = Gate(inside=1, waiting=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), gate.enter():
            raise ZeroDivisionError


@pytest.fixture
def narrow(app: Flask) -> Admission:
    """An app that writes one answer at a time."""
    found = app.extensions[KEY] = Admission(1)
    return found


def is_free(admission: Admission) -> bool:
    """True if somebody may enter."""
    try:
        admission.enter().release()
    except RequestRefused:
        return False
    return True


def comes_free(admission: Admission) -> bool:
    """True if somebody may enter soon: the thread of an answer that was left ends after it."""
    end = time.monotonic() + 5
    while not is_free(admission) and time.monotonic() < end:
        time.sleep(0.01)
    return is_free(admission)


@pytest.mark.parametrize(
    ("threads", "wanted", "expected"),
    [(256, 0, 224), (64, 0, 32), (40, 0, 20), (2, 0, 1), (3, 0, 1), (256, 7, 7), (2, 50, 50)],
)
def test_streams_leave_threads_to_others(
    settings: Settings, threads: int, wanted: int, expected: int
) -> None:
    assert streams(replace(settings, web_threads=threads, web_streams=wanted)) == expected


def test_place_is_given_back_once() -> None:
    admission = Admission(1)
    place = admission.enter()
    for _ in range(3):
        place.release()
    assert is_free(admission)
    held = admission.enter()
    assert not is_free(admission)
    held.release()


def test_forgotten_place_comes_back() -> None:
    admission = Admission(1)
    admission.enter()
    assert is_free(admission)


@pytest.mark.parametrize("model", ["docrag", "docrag-plain"])
@pytest.mark.parametrize("stream", [False, True])
def test_full_process_says_when_to_come_back(
    ask: Ask, narrow: Admission, assistant: StandIn, model: str, stream: bool
) -> None:
    hits: Counter[str] = Counter()

    def hit(key: str, **_: object) -> int:
        hits[key] += 1
        return hits[key]

    assistant.store.limits.hit = hit
    held = narrow.enter()
    response = ask(stream=stream, model=model)
    assert not hits
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert response.json is not None
    assert response.json["error"]["code"] == "service_unavailable"
    assert (assistant.asked, assistant.plainly) == ([], [])
    held.release()
    assert ask(stream=stream, model=model).status_code == 200


def test_place_is_held_until_the_stream_is_closed(
    client: FlaskClient, narrow: Admission, reader: dict[str, str]
) -> None:
    body = {"model": "docrag", "stream": True, "messages": [{"role": "user", "content": "?"}]}
    response = client.post("/v1/chat/completions", json=body, headers=reader, buffered=False)
    next(iter(response.response))
    assert not is_free(narrow)
    response.close()
    assert is_free(narrow)


def test_unread_stream_gives_its_place_back(
    client: FlaskClient, narrow: Admission, reader: dict[str, str]
) -> None:
    body = {"model": "docrag", "stream": True, "messages": [{"role": "user", "content": "?"}]}
    client.post("/v1/chat/completions", json=body, headers=reader, buffered=False).close()
    assert is_free(narrow)


@pytest.mark.parametrize("stream", [False, True])
def test_answer_gives_its_place_back(ask: Ask, narrow: Admission, stream: bool) -> None:
    for _ in range(3):
        with ask(stream=stream) as response:
            assert (response.status_code, bool(response.get_data())) == (200, True)
    assert is_free(narrow)


@pytest.mark.parametrize("stream", [False, True])
def test_failed_search_gives_its_place_back(
    ask: Ask, narrow: Admission, assistant: StandIn, stream: bool
) -> None:
    def fail() -> None:
        raise StoreUnavailable("down")

    assistant.search = fail
    assert ask(stream=stream).status_code == 503
    assert is_free(narrow)


@pytest.mark.parametrize("stream", [False, True])
def test_failed_model_gives_its_place_back(
    ask: Ask, narrow: Admission, assistant: StandIn, stream: bool
) -> None:
    def fail() -> Iterator[Delta]:
        yield Delta(text="x")
        raise LLMError("down")

    assistant.script = fail
    with ask(stream=stream) as response:
        response.get_data()
    assert is_free(narrow)


@pytest.mark.parametrize("stream", [False, True])
def test_left_client_keeps_its_place_until_the_search_has_ended(
    ask: Ask,
    narrow: Admission,
    assistant: StandIn,
    monkeypatch: pytest.MonkeyPatch,
    stream: bool,
) -> None:
    """Who leaves quickly, again and again, must not pile up searches beyond the places."""
    ended = threading.Event()
    monkeypatch.setattr(turns, "departure", lambda _: lambda: True)
    assistant.search = lambda: ended.wait(5)
    assert ask(stream=stream).status_code == 499
    assert not is_free(narrow)
    assert ask(stream=stream).status_code == 503
    ended.set()
    assert comes_free(narrow)


def test_thread_that_cannot_start_gives_its_place_back(
    ask: Ask, narrow: Admission, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(turns, "Pump", fail)
        assert ask().status_code == 500
    assert is_free(narrow)


def test_failure_behind_the_view_gives_its_place_back(
    app: Flask, ask: Ask, narrow: Admission
) -> None:
    # Once: the answer to the failure passes.
    broken = [False, True]

    def fail(response: Response) -> Response:
        if broken.pop():
            raise ZeroDivisionError
        return response

    app.after_request_funcs.setdefault(None, []).append(fail)
    assert ask(stream=True).status_code == 500
    assert is_free(narrow)
