"""What a plugin author gets; the rest of the client is tried in tests/unit/rerankers."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest

from docrag import endpoints as module
from docrag.api import DocragError, Endpoint, EndpointWords, SettingsError
from docrag.testing.server import FakeServer


class PluginFailed(DocragError):
    """The error of a plugin's own."""


WORDS = EndpointWords(
    name="the summariser", api="summary API", late="ask for less", remedies={413: "send less"}
)


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def endpoint(url: str, *paths: str, api_key: str = "") -> Endpoint:
    return Endpoint(url=url, words=WORDS, error=PluginFailed, paths=paths, api_key=api_key)


def refusing(fake: FakeServer, status: int) -> Endpoint:
    fake.routes = {("POST", "/x"): lambda exchange: exchange.send_json({}, status=status)}
    return endpoint(fake.url, "/x")


@pytest.mark.parametrize("path", ["", "/", "/x", "/x/", "/v1/x?a=1"])
def test_address_without_paths_is_taken_as_it_is(fake: FakeServer, path: str) -> None:
    route = path.partition("?")[0] or "/"
    fake.routes = {("POST", route): lambda exchange: exchange.send_json(exchange.path)}
    assert endpoint(fake.url + path).post({}, end=time.monotonic() + 5) == (path or "/")


@pytest.mark.parametrize(
    ("status", "said"),
    [(413, "answered 413: send less$"), (401, "answered 401: check the option api_key$")],
)
def test_remedies_replace_the_usual_advice(fake: FakeServer, status: int, said: str) -> None:
    with pytest.raises(PluginFailed, match=f"^the summariser at {fake.url} {said}"):
        refusing(fake, status).post({}, end=time.monotonic() + 5)


def test_last_try_raises_the_given_error(fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES", (0.0,))
    with pytest.raises(PluginFailed, match="answered 503: it is starting") as caught:
        refusing(fake, 503).post({}, end=time.monotonic() + 5)
    assert type(caught.value) is PluginFailed
    assert len(fake.requests) == 2


def test_late_and_foreign_answers_use_the_given_words(fake: FakeServer) -> None:
    fake.routes = {("POST", "/x"): lambda exchange: exchange.send_bytes(b"<html>")}
    asked = endpoint(fake.url, "/x")
    with pytest.raises(PluginFailed, match="the address of its summary API"):
        asked.post({}, end=time.monotonic() + 5)
    with pytest.raises(PluginFailed, match="did not answer in time; ask for less$"):
        asked.post({}, end=time.monotonic())


def test_refusal_is_logged_under_its_action(
    fake: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger=module.__name__), pytest.raises(PluginFailed):
        refusing(fake, 400).post({"metin": "ışık"}, end=time.monotonic() + 5)
    (record,) = (record for record in caplog.records if record.name == module.__name__)
    assert record.levelno == logging.DEBUG
    assert vars(record)["action"] == "endpoint_refused"


@pytest.mark.parametrize(("url", "key"), [("yerel:80", ""), ("http://x", "şifre")])
def test_wrong_option_is_told_in_the_given_name(url: str, key: str) -> None:
    with pytest.raises(SettingsError, match="of the summariser") as caught:
        endpoint(url, api_key=key)
    assert not key or key not in str(caught.value)
