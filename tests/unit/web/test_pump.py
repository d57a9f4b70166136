"""Sources are found in the pump's thread: early failures, silence, departures."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import flask
import pytest
from werkzeug.test import TestResponse

from docrag.api import Delta, DocragError, EmbedderError, Message, PromptTooLong, StoreUnavailable
from docrag.assistant import Turn
from docrag.web.openai import pump, turns
from docrag.web.openai.pump import ClientGone, Pump

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Ask = Callable[..., TestResponse]
QUESTION = [Message(role="user", content="?")]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting takes milliseconds."""
    monkeypatch.setattr(pump, "SILENCE", 0.05)
    monkeypatch.setattr(pump, "POLL", 0.02)
    monkeypatch.setattr(turns, "FIRST_PIECE", 0.05)


def in_thread() -> bool:
    """True in the thread of a pump."""
    return threading.current_thread().name == "turn"


def failing(error: Exception) -> Callable[[], object]:
    """A search that fails."""

    def fail() -> object:
        raise error

    return fail


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreUnavailable("x"), 503),
        (EmbedderError("x"), 503),
        (PromptTooLong("x"), 400),
        (ZeroDivisionError("x"), 500),
    ],
)
def test_failed_search_is_an_http_error(
    ask: Ask, assistant: StandIn, error: Exception, status: int, stream: bool
) -> None:
    assistant.search = failing(error)
    response = ask(stream=stream)
    assert (response.status_code, response.content_type) == (status, "application/json")


@pytest.mark.parametrize("stream", [False, True])
def test_search_knows_nothing_of_the_request(ask: Ask, assistant: StandIn, stream: bool) -> None:
    seen: list[object] = []
    assistant.search = lambda: seen.extend(
        [flask.has_request_context(), flask.has_app_context(), threading.current_thread().name]
    )
    assert ask(stream=stream).status_code == 200
    assert seen == [False, False, "turn"]


def test_prepare_is_told_who_asks(ask: Ask, assistant: StandIn) -> None:
    ask()
    given: Any = assistant.given[-1]
    assert given["access"] == given["principal"].access
    assert (given["principal"].user.username, given["channel"]) == ("ayşe", "http")


@pytest.mark.usefixtures("hurried")
def test_r7_silent_search_sends_comments_before_the_role(ask: Ask, assistant: StandIn) -> None:
    assistant.search = lambda: threading.Event().wait(0.4)
    lines = ask(stream=True).get_data(as_text=True).split("\n")
    first = next(place for place, line in enumerate(lines) if line.startswith("data: "))
    assert first >= 3
    assert set(lines[:first]) == {": keep-alive"}
    assert json.loads(lines[first][6:])["choices"][0]["delta"]["role"] == "assistant"


@pytest.mark.usefixtures("hurried")
def test_r8_search_that_fails_late_ends_the_stream(ask: Ask, assistant: StandIn) -> None:
    def fail() -> None:
        threading.Event().wait(0.3)
        raise StoreUnavailable("x")

    assistant.search = fail
    response = ask(stream=True)
    data = [line for line in response.get_data(as_text=True).split("\n") if "data: " in line]
    assert response.status_code == 200
    assert [line for line in data if "error" not in line] == ["data: [DONE]"]
    assert json.loads(data[0][6:])["error"]["code"] == "service_unavailable"


@pytest.mark.usefixtures("hurried")
def test_r8_late_failure_is_logged(
    ask: Ask, assistant: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        threading.Event().wait(0.2)
        raise ZeroDivisionError("gizli")

    assistant.search = fail
    with caplog.at_level(logging.WARNING):
        assert "gizli" not in ask(stream=True).get_data(as_text=True)
    assert "answer_broken" in {getattr(record, "action", "") for record in caplog.records}


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("waiting", [True, False])
def test_b29_client_that_leaves_a_search_gets_no_model(assistant: StandIn, waiting: bool) -> None:
    asked, left = threading.Event(), threading.Event()

    def script() -> Iterator[Delta]:
        asked.set()
        yield Delta(text="x", finish_reason="stop")

    assistant.script, assistant.search = script, lambda: left.wait(2)
    running = Pump(lambda _: assistant.prepare(QUESTION), gone=lambda: True)
    with pytest.raises(ClientGone):
        running.wait(2) if waiting else list(running.pieces())
    left.set()
    running._ended.wait(2)
    assert not asked.is_set()
    assert [answer.finish_reason for answer in assistant.answers] == ["aborted"]


def test_closing_before_the_sources_are_found_stops_the_turn(assistant: StandIn) -> None:
    found = threading.Event()
    assistant.search = lambda: found.wait(2)
    running = Pump(lambda _: assistant.prepare(QUESTION), gone=lambda: False)
    running.close()
    found.set()
    running._ended.wait(2)
    assert [answer.finish_reason for answer in assistant.answers] == ["aborted"]


@pytest.mark.parametrize("error", [DocragError("x"), ZeroDivisionError("x")])
def test_failed_search_comes_through(error: Exception) -> None:
    def fail(unwanted: object) -> Any:  # noqa: ANN401 - never returns
        raise error

    with pytest.raises(type(error)):
        list(Pump(fail, gone=lambda: False).pieces())


@pytest.mark.parametrize(
    ("more", "status"), [({"model": "yok"}, 404), ({"n": 2}, 400), ({"messages": []}, 400)]
)
@pytest.mark.parametrize("stream", [False, True])
def test_wrong_request_costs_no_search(
    ask: Ask, assistant: StandIn, more: dict[str, Any], status: int, stream: bool
) -> None:
    assert ask(stream=stream, **more).status_code == status
    assert assistant.asked == []


@pytest.mark.usefixtures("hurried")
def test_b29_departure_is_seen_between_quick_pieces(assistant: StandIn) -> None:
    stopped = threading.Event()

    def script() -> Iterator[Delta]:
        while not stopped.wait(0.001):
            yield Delta(text="x")

    assistant.script = script
    running = Pump(lambda _: assistant.prepare(QUESTION), gone=lambda: True)
    with pytest.raises(ClientGone):
        for _ in running.pieces():
            pass
    stopped.set()
    assert running._ended.wait(2)


@pytest.mark.parametrize("left", ["closed", "gone"])
def test_b29_search_learns_that_nobody_waits(assistant: StandIn, left: str) -> None:
    gone, noticed, begun = threading.Event(), threading.Event(), threading.Event()

    def prepare(unwanted: Callable[[], bool]) -> Turn:
        assert not unwanted()
        begun.set()
        for _ in range(200):
            if unwanted():
                noticed.set()
                break
            threading.Event().wait(0.01)
        return assistant.prepare(QUESTION)

    running = Pump(prepare, gone=gone.is_set)
    assert begun.wait(2)
    running.close() if left == "closed" else gone.set()
    assert noticed.wait(2)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.usefixtures("hurried")
def test_b29_departure_reaches_the_search(
    ask: Ask, assistant: StandIn, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    left, seen = threading.Event(), threading.Event()
    monkeypatch.setattr(turns, "departure", lambda _: left.is_set)

    def search() -> None:
        gone: Any = assistant.given[-1]["gone"]
        assert not gone()
        left.set()
        if gone():
            seen.set()

    assistant.search = search
    ask(stream=stream)
    assert seen.wait(2)


@pytest.mark.parametrize("waiting", [True, False])
def test_b29_departure_that_the_search_noticed_gets_no_model(
    assistant: StandIn, waiting: bool
) -> None:
    asked = threading.Event()

    def script() -> Iterator[Delta]:
        asked.set()
        yield Delta(text="x", finish_reason="stop")

    def prepare(unwanted: Callable[[], bool]) -> Turn:
        assert unwanted()
        return assistant.prepare(QUESTION)

    assistant.script = script
    # Only the thread looks in time: the request learns it from the end of the pieces.
    running = Pump(prepare, gone=in_thread)
    assert running._ended.wait(2)
    with pytest.raises(ClientGone):
        running.wait(2) if waiting else list(running.pieces())
    assert not asked.is_set()
    assert [answer.finish_reason for answer in assistant.answers] == ["aborted"]


@pytest.mark.parametrize("failing", [False, True])
def test_thread_and_request_both_end_before_the_pump_is_over(
    assistant: StandIn, failing: bool
) -> None:
    found, over = threading.Event(), threading.Event()

    def prepare(unwanted: object) -> Turn:
        found.wait(2)
        if failing:
            raise ZeroDivisionError
        return assistant.prepare(QUESTION)

    running = Pump(prepare, gone=lambda: False, over=over.set)
    running.close()
    assert not over.is_set()
    found.set()
    assert over.wait(2)


def test_pump_is_not_over_while_its_pieces_are_read(assistant: StandIn) -> None:
    over = threading.Event()
    running = Pump(lambda _: assistant.prepare(QUESTION), gone=lambda: False, over=over.set)
    assert running._ended.wait(2)
    assert not over.is_set()
    running.close()
    assert over.is_set()


def test_pump_is_over_even_when_its_thread_is_torn_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    over = threading.Event()

    def prepare(unwanted: object) -> Turn:
        raise GeneratorExit

    running = Pump(prepare, gone=lambda: False, over=over.set)
    assert list(running.pieces()) == []
    running.close()
    assert over.wait(2)
    for thread in threading.enumerate():
        if thread.name == "turn":
            thread.join(2)
