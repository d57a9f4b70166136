"""The embedder's address; the client behind it is tried in tests/unit/rerankers as well."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator

import pytest

from docrag import endpoints as module
from docrag.api import EmbedderError, Endpoint, SettingsError
from docrag.embedders import endpoint as embedding
from docrag.embedders.endpoint import RefusedTexts, embedder_at
from docrag.testing.server import Exchange, FakeServer

KEY = "sk-cok-gizli"


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))


def endpoint(url: str, *, api_key: str = KEY, ca_file: str = "", numbers: int = 8) -> Endpoint:
    return embedder_at(
        url,
        name="the server",
        path="/x",
        api_key=api_key,
        ca_file=ca_file,
        timeout=5.0,
        numbers=numbers,
    )


def post(url: str, *, within: float = 5.0, numbers: int = 8, api_key: str = KEY) -> object:
    asked = endpoint(url, numbers=numbers, api_key=api_key)
    return asked.post({"a": 1}, end=time.monotonic() + within)


def serve(fake: FakeServer, route: Callable[[Exchange], None]) -> str:
    fake.routes = {("POST", "/x"): route}
    return fake.url


def test_post_gives_parsed_answer(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.send_json({"yanıt": "ışık"}))
    assert post(url) == {"yanıt": "ışık"}
    assert fake.requests == [{"a": 1}]


def test_key_is_sent_as_bearer_token(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.send_json(exchange.headers["Authorization"]))
    assert post(url) == f"Bearer {KEY}"


@pytest.mark.parametrize("status", [502, 503, 504])
def test_post_tries_again_while_server_starts(fake: FakeServer, status: int) -> None:
    def route(exchange: Exchange) -> None:
        exchange.send_json({}, status=status if len(fake.requests) == 1 else 200)

    assert post(serve(fake, route)) == {}
    assert len(fake.requests) == 2


def test_post_gives_up_after_three_tries(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.send_json({}, status=503))
    with pytest.raises(EmbedderError, match="answered 503"):
        post(url)
    assert len(fake.requests) == 3


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_refusals_that_texts_may_cause(fake: FakeServer, status: int) -> None:
    url = serve(fake, lambda exchange: exchange.send_json({"error": "NaN"}, status=status))
    with pytest.raises(RefusedTexts, match=f"the server at {url} answered {status}: ") as caught:
        post(url)
    assert not caught.value.length
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"error": "input length exceeds the context length"},
        {"error": "the input length exceeds maximum context length"},
        {"error": {"message": "x", "code": "context_length_exceeded"}},
        {"error": {"message": "x", "type": "exceed_context_size_error", "n_ctx": 512}},
        {"error": {"message": "This model's maximum context length is 8192", "type": "bad"}},
        {"error": {"message": "input is too large to process", "type": "server_error"}},
        {
            "error": "`inputs` must have less than 512 tokens. Given: 900",
            "error_type": "Validation",
        },
        {"message": "`inputs` must have less than 512 tokens. Given: 900", "type": "Validation"},
    ],
)
def test_refusals_for_length_are_told_apart(fake: FakeServer, body: object) -> None:
    url = serve(fake, lambda exchange: exchange.send_json(body, status=400))
    with pytest.raises(RefusedTexts) as caught:
        post(url)
    assert caught.value.length


@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "option api_key"), (403, "option api_key"), (404, "options url and model")],
)
def test_refusals_name_what_to_change(fake: FakeServer, status: int, hint: str) -> None:
    url = serve(fake, lambda exchange: exchange.send_json({}, status=status))
    with pytest.raises(EmbedderError, match=hint) as caught:
        post(url)
    assert not isinstance(caught.value, RefusedTexts)


def test_messages_hold_neither_key_nor_text(
    fake: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    words = f"could not embed 'maaş bordrosu' for {KEY}"
    url = serve(fake, lambda exchange: exchange.send_json({"error": words}, status=500))
    with caplog.at_level(logging.INFO), pytest.raises(EmbedderError) as caught:
        post(url)
    shown = f"{caught.value} {caught.value!r} {caplog.text} {endpoint(url)!r}"
    assert KEY not in shown
    assert "maaş" not in shown


def test_redirect_is_not_followed(fake: FakeServer) -> None:
    url = serve(
        fake, lambda exchange: exchange.send_bytes(b"", status=307, headers={"Location": "/y"})
    )
    with pytest.raises(EmbedderError, match="answered 307, a redirect, which is not followed"):
        post(url)
    assert len(fake.requests) == 1


def test_answer_that_is_not_json_is_an_error(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.send_bytes(b"<html>", content_type="text/html"))
    with pytest.raises(EmbedderError, match="not JSON; is the option url .* of its /x API"):
        post(url)


def test_endless_answer_is_cut_off(fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "OTHER_BYTES", 100_000)

    def route(exchange: Exchange) -> None:
        exchange.start_stream("application/json")
        while True:
            exchange.send_piece(b"[" + b"0, " * 10_000)

    with pytest.raises(EmbedderError, match="answered with more than .* MiB; check the option url"):
        post(serve(fake, route))
    assert fake.disconnected.wait(3.0)
    assert len(fake.requests) == 1


def test_answer_may_be_as_large_as_its_vectors(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "OTHER_BYTES", 1)
    rows = [[-1.2345678901234567e-05] * 1000] * 4
    assert post(serve(fake, lambda exchange: exchange.send_json(rows)), numbers=4000) == rows


def test_dripping_answer_is_left_in_time(fake: FakeServer) -> None:
    def route(exchange: Exchange) -> None:
        exchange.start_stream("application/json")
        while True:
            exchange.wait(0.05)
            exchange.send_piece(b" ")

    said = r"did not answer in time; raise the option timeout \(5 s\) or lower batch_size"
    with pytest.raises(EmbedderError, match=said):
        post(serve(fake, route), within=0.2)


def test_silence_is_an_error(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.wait(5.0))
    with pytest.raises(EmbedderError, match="did not answer in time"):
        post(url, within=0.1)


def test_unreachable_server_is_named_without_password() -> None:
    with pytest.raises(EmbedderError, match="127.0.0.1:9 cannot be reached") as caught:
        post("http://ali:parola@127.0.0.1:9", api_key="")
    assert "parola" not in str(caught.value)


def test_untrusted_certificate_names_option(fake: FakeServer) -> None:
    with pytest.raises(EmbedderError, match="no certificate that is trusted here.*ca_file"):
        post(fake.url.replace("http://", "https://"))


def test_proxies_of_the_environment_are_not_used(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert post(serve(fake, lambda exchange: exchange.send_json([]))) == []


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:11434", "ftp://x", "http://", "/api", "file:///etc/passwd", "http://u:p@",
        "http://a b", "http://x:y", "http://a..b", "http://x\n", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_address_that_is_not_http_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="^url of the server "):
        endpoint(url)


def test_missing_authority_file_is_refused_without_its_path() -> None:
    with pytest.raises(SettingsError, match="ca_file of the server") as caught:
        endpoint("https://x", ca_file="/etc/gizli/ca.pem")
    assert "gizli" not in str(caught.value)


def test_key_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(SettingsError, match="api_key of the server") as caught:
        endpoint("https://x", api_key="şifre\r\nX: y")
    assert not re.search("şifre|X: y", str(caught.value))
