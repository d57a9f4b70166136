from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docrag.api import (
    LLMError,
    LLMRefused,
    LLMTimeout,
    LLMUnavailable,
    PromptTooLong,
    ServerAddress,
    SettingsError,
)
from docrag.llms import connection
from docrag.llms.connection import Call, Server
from docrag.testing.server import Exchange, FakeServer

KEY = "sk-cok-gizli"


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def server(url: str, *, timeout: float = 5.0, api_key: str = KEY) -> Server:
    address = ServerAddress(name="the server", url=url, api_key=api_key)
    return Server(address=address, timeout=timeout, connect_timeout=1.0)


def call(fake: FakeServer, route: Callable[[Exchange], None], *, timeout: float = 5.0) -> Call:
    fake.routes = {("POST", "/x"): route}
    return Call(server(fake.url, timeout=timeout), "/x", lambda: {"a": 1})


@pytest.mark.parametrize("chunked", [True, False])
def test_blocks_come_when_sent(fake: FakeServer, chunked: bool) -> None:
    read = threading.Event()

    def route(exchange: Exchange) -> None:
        if chunked:
            exchange.start_stream("text/plain")
        else:
            exchange.send_response(200)
            exchange.end_headers()
        exchange.close_connection = True
        send = exchange.send_piece if chunked else exchange.wfile.write
        send(b"bir")
        read.wait(5.0)
        send(b"iki")
        exchange.wfile.write(b"0\r\n\r\n" if chunked else b"")

    blocks = call(fake, route).blocks()
    assert next(blocks) == b"bir"
    read.set()
    assert list(blocks) == [b"iki"]


def test_key_is_sent_as_bearer_token(fake: FakeServer) -> None:
    reply = call(fake, lambda exchange: exchange.send_json(exchange.headers["Authorization"]))
    assert b"".join(reply.blocks()) == f'"Bearer {KEY}"'.encode()


def test_compression_is_not_asked_for(fake: FakeServer) -> None:
    reply = call(fake, lambda exchange: exchange.send_json(exchange.headers["Accept-Encoding"]))
    assert b"".join(reply.blocks()) == b'"identity"'


@pytest.mark.parametrize(
    ("status", "error", "kind", "hint"),
    [
        (400, "input length exceeds the context length", PromptTooLong, "context window"),
        (400, {"type": "exceed_context_size_error"}, PromptTooLong, "context window"),
        (400, {"code": "context_length_exceeded"}, PromptTooLong, "context window"),
        (500, {"message": "prompt exceeds 8192 tokens"}, PromptTooLong, "context window"),
        (400, "bad option", LLMRefused, "does not suit"),
        (401, {"code": "invalid_api_key"}, LLMRefused, r"\(invalid_api_key\): .*api_key"),
        (404, "no", LLMRefused, "not known there"),
        (429, "slow down", LLMUnavailable, "busy"),
        (503, "server busy", LLMUnavailable, "busy"),
        (500, "boom", LLMUnavailable, "answered 500"),
        (529, {"type": "overloaded_error"}, LLMUnavailable, r"529 \(overloaded_error\)"),
        (307, "", LLMError, "answered 307"),
    ],
)
def test_refusal_says_what_to_do(
    fake: FakeServer, status: int, error: object, kind: type[LLMError], hint: str
) -> None:
    reply = call(fake, lambda exchange: exchange.send_json({"error": error}, status=status))
    with pytest.raises(LLMError, match=hint) as caught:
        list(reply.blocks())
    assert type(caught.value) is kind
    assert len(fake.requests) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"", b'{"detail": "x"}'])
def test_refusal_without_error_object_is_an_error(fake: FakeServer, body: bytes) -> None:
    reply = call(fake, lambda exchange: exchange.send_bytes(body, status=500))
    with pytest.raises(LLMError, match="answered 500"):
        list(reply.blocks())


def test_messages_hold_neither_key_nor_prompt(
    fake: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    error = {"message": f"bad prompt 'maaş bordrosu' for {KEY}", "code": f"key {KEY}"}
    reply = call(fake, lambda exchange: exchange.send_json({"error": error}, status=500))
    with caplog.at_level(logging.INFO), pytest.raises(LLMError) as caught:
        list(reply.blocks())
    shown = f"{caught.value!r} {caplog.text} {reply!r} {reply.server!r}"
    assert KEY not in shown
    assert "maaş" not in shown


def test_unreachable_server_is_named_without_password() -> None:
    reply = Call(server("http://ali:parola@127.0.0.1:9", api_key=""), "/x", dict)
    with pytest.raises(LLMError, match="127.0.0.1:9 cannot be reached") as caught:
        list(reply.blocks())
    assert "parola" not in str(caught.value)


def test_no_first_byte_is_timeout(fake: FakeServer) -> None:
    with pytest.raises(LLMTimeout, match="sent nothing within 0.1 s"):
        list(call(fake, lambda exchange: exchange.wait(5.0), timeout=0.1).blocks())


def test_silence_in_stream_is_timeout(fake: FakeServer) -> None:
    def route(exchange: Exchange) -> None:
        exchange.start_stream("text/plain")
        exchange.send_piece(b"bir")
        exchange.wait(5.0)

    with pytest.raises(LLMTimeout, match="stopped writing"):
        list(call(fake, route, timeout=0.1).blocks())


def test_cut_stream_is_an_error(fake: FakeServer) -> None:
    def route(exchange: Exchange) -> None:
        exchange.start_stream("text/plain")
        exchange.send_piece(b"bir")
        exchange.cut()

    with pytest.raises(LLMError, match="broke"):
        list(call(fake, route).blocks())


def test_close_wakes_waiting_reader(fake: FakeServer) -> None:
    def route(exchange: Exchange) -> None:
        exchange.start_stream("text/plain")
        exchange.send_piece(b"bir")
        exchange.wait(30.0)

    reply = call(fake, route, timeout=60.0)
    blocks = reply.blocks()
    next(blocks)
    timer = threading.Timer(0.1, reply.close)
    timer.start()
    start = time.monotonic()
    with pytest.raises(LLMError, match="broke"):
        next(blocks)
    assert time.monotonic() - start < 3.0
    assert fake.disconnected.wait(3.0)
    timer.join()


def test_close_ends_call_that_waits_for_its_head(fake: FakeServer) -> None:
    reply = call(fake, lambda exchange: exchange.wait(30.0), timeout=60.0)
    timer = threading.Timer(0.1, reply.close)
    timer.start()
    start = time.monotonic()
    with pytest.raises(LLMError):
        list(reply.blocks())
    assert time.monotonic() - start < 3.0
    assert fake.disconnected.wait(3.0)
    timer.join()


def test_close_before_start_sends_nothing(fake: FakeServer) -> None:
    reply = call(fake, lambda exchange: exchange.send_json({}))
    reply.close()
    assert list(reply.blocks()) == []
    assert fake.requests == []


def test_untrusted_certificate_names_option(fake: FakeServer) -> None:
    url = fake.url.replace("http://", "https://")
    with pytest.raises(LLMError, match="no certificate that is trusted here.*ca_file"):
        list(Call(server(url), "/x", dict).blocks())


def test_proxies_of_the_environment_are_not_used(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    reply = call(fake, lambda exchange: exchange.send_json({}))
    assert b"".join(reply.blocks()) == b"{}"


@pytest.mark.parametrize("name", ["timeout", "connect_timeout"])
@pytest.mark.parametrize("value", [0, -1.0, float("nan"), 1e9, "5", None, True])
def test_time_that_cannot_be_waited_is_refused(name: str, value: object) -> None:
    times: dict[str, Any] = {"timeout": 1.0, "connect_timeout": 1.0, name: value}
    with pytest.raises(SettingsError, match=f"^{name} must be a number of seconds.* not {value!r}"):
        Server(address=ServerAddress(name="x", url="https://x"), **times)


def test_endless_refusal_is_left_unread(fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MAX_WHOLE", 100_000)

    def route(exchange: Exchange) -> None:
        exchange.send_response(500)
        exchange.send_header("Transfer-Encoding", "chunked")
        exchange.end_headers()
        while True:
            exchange.send_piece(b"prompt is too long " * 1000)

    with pytest.raises(LLMUnavailable, match="answered 500$"):
        list(call(fake, route).blocks())
    assert fake.disconnected.wait(3.0)


def test_endless_list_of_models_is_left_unread(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MAX_WHOLE", 1000)
    fake.routes = {("GET", "/models"): lambda exchange: exchange.send_json(["model"] * 1000)}
    with pytest.raises(LLMError, match="told too much, or too slowly"):
        server(fake.url).get("/models", timeout=5.0)


def test_redirect_is_not_followed(fake: FakeServer) -> None:
    headers = {"Location": "/y"}
    reply = call(fake, lambda exchange: exchange.send_bytes(b"", status=307, headers=headers))
    with pytest.raises(LLMError, match="answered 307, a redirect.* option url"):
        list(reply.blocks())
    assert len(fake.requests) == 1


def test_path_stands_before_a_query(fake: FakeServer) -> None:
    fake.routes = {("POST", "/v1/x"): lambda exchange: exchange.send_json(exchange.path)}
    reply = Call(server(f"{fake.url}/v1/?version=1"), "/x", dict)
    assert b"".join(reply.blocks()) == b'"/v1/x?version=1"'


def test_body_that_json_cannot_hold_is_refused_and_not_called_an_outage() -> None:
    with pytest.raises(LLMRefused, match="not a number"):
        server("http://127.0.0.1:9").post("/x", {"tools": [{"a": float("nan")}]})
