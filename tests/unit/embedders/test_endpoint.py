from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import pytest

from docrag.api import EmbedderError, SettingsError
from docrag.embedders.endpoint import Endpoint, RefusedTexts
from docrag.testing.server import Exchange, FakeServer

KEY = "sk-cok-gizli"


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def endpoint(url: str, *, timeout: float = 5.0) -> Endpoint:
    return Endpoint(name="the server", url=url, api_key=KEY, timeout=timeout)


def serve(fake: FakeServer, route: Callable[[Exchange], None]) -> Endpoint:
    fake.routes = {("POST", "/x"): route}
    return endpoint(fake.url)


def test_post_gives_parsed_answer(fake: FakeServer) -> None:
    server = serve(fake, lambda exchange: exchange.send_json({"yanıt": "ışık"}))
    assert server.post("/x", {"a": 1}) == {"yanıt": "ışık"}
    assert fake.requests == [{"a": 1}]


def test_key_is_sent_as_bearer_token(fake: FakeServer) -> None:
    server = serve(fake, lambda exchange: exchange.send_json(exchange.headers["Authorization"]))
    assert server.post("/x", {}) == f"Bearer {KEY}"


@pytest.mark.parametrize("status", [502, 503, 504])
def test_post_tries_again_while_server_starts(fake: FakeServer, status: int) -> None:
    def route(exchange: Exchange) -> None:
        exchange.send_json({}, status=status if len(fake.requests) == 1 else 200)

    assert serve(fake, route).post("/x", {}) == {}
    assert len(fake.requests) == 2


def test_post_gives_up_after_three_tries(fake: FakeServer) -> None:
    server = serve(fake, lambda exchange: exchange.send_json({}, status=503))
    with pytest.raises(EmbedderError, match="answered 503"):
        server.post("/x", {})
    assert len(fake.requests) == 3


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_refusals_that_texts_may_cause(fake: FakeServer, status: int) -> None:
    server = serve(fake, lambda exchange: exchange.send_json({"error": "NaN"}, status=status))
    with pytest.raises(RefusedTexts) as caught:
        server.post("/x", {})
    assert not caught.value.length
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    "error",
    [
        "input length exceeds the context length",
        "the input length exceeds maximum context length",
        {"message": "x", "code": "context_length_exceeded"},
        {"message": "x", "type": "exceed_context_size_error", "n_ctx": 512},
        {"message": "This model's maximum context length is 8192 tokens", "type": "bad"},
        {"message": "input is too large to process", "type": "server_error"},
    ],
)
def test_refusals_for_length_are_told_apart(fake: FakeServer, error: object) -> None:
    server = serve(fake, lambda exchange: exchange.send_json({"error": error}, status=400))
    with pytest.raises(RefusedTexts) as caught:
        server.post("/x", {})
    assert caught.value.length


@pytest.mark.parametrize(("status", "hint"), [(401, "api_key"), (403, "api_key"), (404, "model")])
def test_refusals_name_what_to_change(fake: FakeServer, status: int, hint: str) -> None:
    server = serve(fake, lambda exchange: exchange.send_json({}, status=status))
    with pytest.raises(EmbedderError, match=hint) as caught:
        server.post("/x", {})
    assert not isinstance(caught.value, RefusedTexts)


def test_messages_hold_neither_key_nor_text(
    fake: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    words = f"could not embed 'maaş bordrosu' for {KEY}"
    server = serve(fake, lambda exchange: exchange.send_json({"error": words}, status=500))
    with caplog.at_level(logging.INFO), pytest.raises(EmbedderError) as caught:
        server.post("/x", {})
    shown = f"{caught.value} {caught.value!r} {caplog.text} {server!r}"
    assert KEY not in shown
    assert "maaş" not in shown


def test_redirect_is_not_followed(fake: FakeServer) -> None:
    def route(exchange: Exchange) -> None:
        exchange.send_response(307)
        exchange.send_header("Location", "/y")
        exchange.send_header("Content-Length", "0")
        exchange.end_headers()

    with pytest.raises(EmbedderError, match="answered 307"):
        serve(fake, route).post("/x", {})
    assert len(fake.requests) == 1


def test_answer_that_is_not_json_is_an_error(fake: FakeServer) -> None:
    server = serve(fake, lambda exchange: exchange.send_bytes(b"<html>", content_type="text/html"))
    with pytest.raises(EmbedderError, match="not JSON"):
        server.post("/x", {})


def test_silence_is_an_error(fake: FakeServer) -> None:
    fake.routes = {("POST", "/x"): lambda exchange: exchange.wait(5.0)}
    with pytest.raises(EmbedderError, match="did not answer within 0.1 s|cannot be reached"):
        endpoint(fake.url, timeout=0.1).post("/x", {})


def test_unreachable_server_is_named_without_password() -> None:
    with pytest.raises(EmbedderError, match="127.0.0.1:9 cannot be reached") as caught:
        endpoint("http://ali:parola@127.0.0.1:9").post("/x", {})
    assert "parola" not in str(caught.value)


def test_untrusted_certificate_names_option(fake: FakeServer) -> None:
    url = fake.url.replace("http://", "https://")
    with pytest.raises(EmbedderError, match="no certificate that is trusted here.*ca_file"):
        endpoint(url).post("/x", {})


def test_proxies_of_the_environment_are_not_used(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert serve(fake, lambda exchange: exchange.send_json([])).post("/x", {}) == []


@pytest.mark.parametrize("url", ["", "localhost:11434", "ftp://x", "http://", "/api"])
def test_address_that_is_not_http_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="url of the server"):
        endpoint(url)


def test_missing_authority_file_is_refused_without_its_path() -> None:
    with pytest.raises(SettingsError, match="ca_file of x") as caught:
        Endpoint(name="x", url="https://x", api_key="", timeout=1.0, ca_file="/etc/gizli/ca.pem")
    assert "gizli" not in str(caught.value)
