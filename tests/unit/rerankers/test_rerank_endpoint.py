from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docrag import endpoints as module
from docrag.api import RerankerError, SettingsError
from docrag.rerankers.endpoint import reranker_at as Endpoint
from docrag.testing.rerank import FakeReranker
from docrag.testing.server import Exchange, FakeServer

KEY = "sk-cok-gizli"
BODY: dict[str, Any] = {"query": "maaş bordrosu?", "documents": ["maaş gizlidir"]}


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))


def post(url: str, *, within: float = 5.0, api_key: str = KEY) -> object:
    return Endpoint(url=url, api_key=api_key).post(BODY, end=time.monotonic() + within)


def serve(fake: FakeServer, route: Callable[[Exchange], None], path: str = "/rerank") -> str:
    fake.routes = {("POST", path): route}
    return fake.url


def test_post_gives_parsed_answer(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.send_json([{"metin": "ışık"}]))
    assert post(url) == [{"metin": "ışık"}]
    assert fake.requests == [BODY]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("", "/rerank"),
        ("/", "/rerank"),
        ("/v1", "/v1/rerank"),
        ("/v1/rerank", "/v1/rerank"),
        ("/v1/rerank/", "/v1/rerank"),
        ("/reranking", "/reranking"),
        ("/api?version=1", "/api/rerank"),
    ],
)
def test_address_may_be_whole_or_not(fake: FakeServer, path: str, asked: str) -> None:
    serve(fake, lambda exchange: exchange.send_json(exchange.path), asked)
    query = "?" + path.partition("?")[2] if "?" in path else ""
    assert post(fake.url + path) == asked + query


@pytest.mark.parametrize(("key", "sent"), [(KEY, f"Bearer {KEY}"), ("", None)])
def test_key_is_sent_as_bearer_token(fake: FakeServer, key: str, sent: str | None) -> None:
    url = serve(fake, lambda exchange: exchange.send_json(exchange.headers["Authorization"]))
    assert post(url, api_key=key) == sent


@pytest.mark.parametrize("status", [502, 503, 504])
def test_post_tries_again_while_server_starts(fake: FakeServer, status: int) -> None:
    def route(exchange: Exchange) -> None:
        exchange.send_json({}, status=status if len(fake.requests) == 1 else 200)

    assert post(serve(fake, route)) == {}
    assert len(fake.requests) == 2


@pytest.mark.parametrize("fault", ["503", "cut", "half"])
def test_post_gives_up_after_three_tries(fault: str) -> None:
    with FakeReranker(fault=fault) as fake:
        with pytest.raises(RerankerError, match=fake.url):
            post(fake.url)
        assert fake.calls == 3


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        ("400", r"answered 400 \(bad_request\).*shape and model"),
        ("401", r"answered 401 \(invalid_api_key\): check the option api_key"),
        ("404", r"answered 404 \(model_not_found\).*url and model"),
        ("413", "answered 413.*lower the options batch_size and max_characters"),
        ("422", "answered 422.*shape and model"),
        ("424", "answered 424.*look at its log"),
        ("429", "answered 429.*raise its limit or lower DOCRAG_RERANK_K"),
        ("500", "answered 500.*max_characters"),
        ("html", "not JSON"),
        ("empty", "not JSON"),
        ("deep", "not JSON"),
        ("redirect", "answered 307, a redirect, which is not followed.*option url"),
    ],
)
def test_failure_says_what_to_do(fault: str, hint: str) -> None:
    with FakeReranker(fault=fault) as fake:
        with pytest.raises(RerankerError, match=f"reranker at {fake.url} .*{hint}"):
            post(fake.url)
        assert fake.calls == 1


def test_other_refusals_name_their_status(fake: FakeServer) -> None:
    url = serve(fake, lambda exchange: exchange.send_json(["?"], status=418))
    with pytest.raises(RerankerError, match="answered 418: look at its log"):
        post(url)


@pytest.mark.parametrize("server", ["jina", "tei"])
@pytest.mark.parametrize("fault", ["400", "401", "422", "500", "503"])
def test_messages_hold_neither_key_nor_text(
    server: str, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    with FakeReranker(server=server, fault=fault) as fake:
        with caplog.at_level(logging.INFO), pytest.raises(RerankerError) as caught:
            post(fake.url)
        assert fake.keys[0] == f"Bearer {KEY}"
    shown = f"{caught.value} {caught.value!r} {caplog.text} {vars(Endpoint(url='http://x'))}"
    assert not any(word in shown for word in (KEY, "maaş", "bordro"))


@pytest.mark.parametrize(("fault", "delay"), [("slow", 5.0), ("drip", 0.05)])
def test_slow_server_is_left_in_time(fault: str, delay: float) -> None:
    started = time.monotonic()
    with FakeReranker(fault=fault, delay=delay) as fake:
        with pytest.raises(RerankerError, match="did not answer in time; raise the option timeout"):
            post(fake.url, within=0.2)
        assert fake.calls == 1
    assert time.monotonic() - started < 2.0


def test_nothing_is_sent_when_time_is_over(fake: FakeServer) -> None:
    with pytest.raises(RerankerError, match="in time"):
        post(fake.url, within=-1.0)
    assert fake.requests == []


def test_no_pause_outlasts_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES", (60.0,))
    with FakeReranker(fault="503") as fake:
        with pytest.raises(RerankerError, match="answered 503"):
            post(fake.url, within=5.0)
        assert fake.calls == 1


def test_endless_answer_is_an_error(fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    url = serve(fake, lambda exchange: exchange.send_bytes(b"[" + b" " * 2000 + b"]"))
    with pytest.raises(RerankerError, match="answered with more than"):
        post(url)


def test_unreachable_server_is_named_without_password() -> None:
    with pytest.raises(RerankerError, match="127.0.0.1:9 cannot be reached") as caught:
        post("http://ali:parola@127.0.0.1:9", api_key="")
    assert "parola" not in str(caught.value)


def test_untrusted_certificate_names_option(fake: FakeServer) -> None:
    with pytest.raises(RerankerError, match="no certificate that is trusted here.*ca_file"):
        post(fake.url.replace("http://", "https://"))


def test_proxies_of_the_environment_are_not_used(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert post(serve(fake, lambda exchange: exchange.send_json([]))) == []


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://x", "http://", "/v1", "http://x:y"])
def test_address_that_is_not_http_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="url of the reranker"):
        Endpoint(url=url)


@pytest.mark.parametrize("key", ["gizli\n", " gizli", "giz\nli", "şifre"])
def test_key_that_cannot_be_sent_is_refused(key: str) -> None:
    with pytest.raises(SettingsError, match="api_key of the reranker") as caught:
        Endpoint(url="http://x", api_key=key)
    assert key.strip() not in str(caught.value)


def test_missing_authority_file_is_refused_without_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ca_file of the reranker") as caught:
        Endpoint(url="https://x", ca_file=str(tmp_path / "gizli.pem"))
    assert "gizli" not in str(caught.value)
