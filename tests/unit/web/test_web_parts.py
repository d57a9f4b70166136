"""Small parts of the web layer: paths, names, departures, messages of schemas."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from docrag.answer.turn import Turn
from docrag.api import Delta, LLMError, Message, storable
from docrag.web.blueprint import first_message
from docrag.web.errors import RequestRefused
from docrag.web.openai import pump
from docrag.web.openai.client import departure
from docrag.web.openai.pump import ClientGone, Pump
from docrag.web.slashes import tidy
from docrag.web.text import printable

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Both ends of a connection."""
    near, far = socket.socketpair()
    with near, far:
        yield near, far


@pytest.mark.parametrize(
    ("path", "expected"),
    [("", "/"), ("/", "/"), ("//", "/"), ("//v1//models//", "/v1/models"), ("/v1", "/v1")],
)
def test_path_is_tidied(path: str, expected: str) -> None:
    assert tidy(path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("ışık", "ışık"), ("a\x00b", "ab"), ("x\ud800", "x?"), ("İzmir 😀", "İzmir 😀")],
)
def test_plain_text_can_be_stored(text: str, expected: str) -> None:
    assert storable(text) == expected


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\u200bb", "\x00"])
def test_unseen_name_is_refused(text: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        printable(text, "name")
    assert caught.value.param == "name"


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ({"n": ["only 1."]}, ("n", "only 1.")),
        ({"messages": {0: {"content": {1: ["no."]}}}}, ("messages[0].content[1]", "no.")),
        ({"_schema": ["Invalid input type."]}, ("", "Invalid input type.")),
        ({"messages": {2: {"_schema": ["bad."]}}}, ("messages[2]", "bad.")),
    ],
)
def test_first_message_has_its_path(messages: Any, expected: tuple[str, str]) -> None:  # noqa: ANN401 - a tree
    assert first_message(messages) == expected


def test_departure_is_seen(pair: tuple[socket.socket, socket.socket]) -> None:
    near, far = pair
    gone = departure({"gunicorn.socket": near})
    assert not gone()
    far.close()
    assert gone()


def test_waiting_bytes_are_no_departure(pair: tuple[socket.socket, socket.socket]) -> None:
    near, far = pair
    gone = departure({"werkzeug.socket": near})
    far.sendall(b"GET")
    assert not gone()
    assert near.recv(3) == b"GET"


@pytest.mark.skipif(not hasattr(select, "POLLRDHUP"), reason="the system tells no half-closing")
def test_departure_behind_waiting_bytes_is_seen(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    near, far = pair
    gone = departure({"gunicorn.socket": near})
    far.sendall(b"XXXXX")
    assert not gone()
    far.close()
    assert gone()
    near.close()
    assert gone()


def test_unknown_server_never_tells() -> None:
    assert not departure({})()


def test_pump_wait_raises_an_early_failure(assistant: StandIn) -> None:
    def fail() -> Iterator[Delta]:
        raise LLMError("down")
        yield

    assistant.script = fail
    turn = assistant.prepare([Message(role="user", content="?")])
    with pytest.raises(LLMError):
        Pump(lambda _: turn, gone=lambda: False).wait(2)


def test_pump_notices_departure_while_silent(
    assistant: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pump, "POLL", 0.02)
    closed = threading.Event()

    class Silent:
        def __iter__(self) -> Iterator[Delta]:
            return self

        def __next__(self) -> Delta:
            closed.wait(5)
            raise StopIteration

        def close(self) -> None:
            closed.set()

    assistant.script = Silent
    question = [Message(role="user", content="?")]
    running = Pump(lambda _: assistant.prepare(question), gone=lambda: True)
    with pytest.raises(ClientGone):
        running.wait(2)
    assert closed.is_set()


def test_pump_hands_over_everything_in_order(assistant: StandIn) -> None:
    question = [Message(role="user", content="?")]
    running = Pump(lambda _: assistant.prepare(question), gone=lambda: False)
    running.wait(2)
    turn, *pieces = running.pieces()
    assert isinstance(turn, Turn)
    found = [piece for piece in pieces if isinstance(piece, Delta)]
    assert "".join(piece.text for piece in found) == "İşveren yükümlüdür [1]."
    assert [piece.finish_reason for piece in found][-1] == "stop"
