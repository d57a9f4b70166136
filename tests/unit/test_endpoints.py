"""What a plugin author gets; the rest of the client is tried in tests/unit/rerankers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docrag import endpoints as module
from docrag.api import DocragError, Endpoint, EndpointWords, Refusal, SettingsError
from docrag.testing.server import Exchange, FakeServer


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


def test_caller_tells_refusals_apart(fake: FakeServer) -> None:
    body = {"error": {"code": "too_long", "message": "'maaş bordrosu' " * 1000}}
    fake.routes = {("POST", "/"): lambda exchange: exchange.send_json(body, status=413)}
    told: list[Refusal] = []

    def refused(refusal: Refusal) -> PluginFailed:
        told.append(refusal)
        return PluginFailed("too long")

    asked = Endpoint(url=fake.url, words=WORDS, error=PluginFailed, refused=refused)
    with pytest.raises(PluginFailed, match="^too long$"):
        asked.post({}, end=time.monotonic() + 5)
    (refusal,) = told
    said = f"the summariser at {fake.url} answered 413 (too_long): send less"
    assert (refusal.status, refusal.said) == (413, said)
    assert refusal.reason.split(maxsplit=1)[0] == "too_long" and "bordrosu" in refusal.reason
    assert len(refusal.reason) == module.MOST_REASON


@pytest.mark.parametrize("status", [503, 307])
def test_caller_is_not_asked_about_other_failures(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(module, "PAUSES", ())
    fake.routes = {("POST", "/"): lambda exchange: exchange.send_json({}, status=status)}
    asked = Endpoint(
        url=fake.url, words=WORDS, error=PluginFailed, refused=lambda _: PluginFailed("no")
    )
    with pytest.raises(PluginFailed, match=f"answered {status}"):
        asked.post({}, end=time.monotonic() + 5)


def test_answer_may_be_allowed_more_bytes(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    fake.routes = {("POST", "/"): lambda exchange: exchange.send_json(["ışık"] * 10)}
    more = Endpoint(url=fake.url, words=WORDS, error=PluginFailed, most_bytes=1000)
    assert more.post({}, end=time.monotonic() + 5) == ["ışık"] * 10
    with pytest.raises(PluginFailed, match="answered with more than"):
        endpoint(fake.url).post({}, end=time.monotonic() + 5)


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


@pytest.mark.parametrize(
    "url",
    [
        "http://a b/",
        "http://a..b",
        "http://*.b",
        f"http://{'a' * 64}.tr",
        "http://h/\r\nX: y",
        5,
        None,
    ],
)
def test_address_that_no_server_can_have_is_refused(url: Any) -> None:  # noqa: ANN401 - wrong ones
    with pytest.raises(SettingsError, match="^url of the summariser "):
        endpoint(url)


@pytest.mark.parametrize("url", ["http://[::1]:80", "http://ışık.tr.", "http://u:p@h_1/a%20b"])
def test_address_that_a_server_can_have_is_taken(url: str) -> None:
    assert endpoint(url).label.startswith("the summariser at http://")


@pytest.mark.parametrize("name", ["api_key", "ca_file"])
@pytest.mark.parametrize("value", [5, b"gizli", ["gizli"]])
def test_option_that_is_no_text_is_refused(name: str, value: object) -> None:
    options: dict[str, Any] = {"url": "http://x", name: value}
    with pytest.raises(SettingsError, match=f"^{name} of the summariser must be a text") as caught:
        Endpoint(words=WORDS, error=PluginFailed, **options)
    assert "gizli" not in str(caught.value)


def test_no_key_is_an_empty_text() -> None:
    with pytest.raises(SettingsError, match="^api_key of .* a text; an empty one sends none$"):
        Endpoint(url="http://x", words=WORDS, error=PluginFailed, api_key=None)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("paths", ["/x", ("x",), ("",), (5,), None, 5])
def test_ends_of_an_address_begin_with_a_slash(paths: Any) -> None:  # noqa: ANN401 - wrong ones
    with pytest.raises(SettingsError, match="^paths of the summariser must be a tuple"):
        Endpoint(url="http://x", words=WORDS, error=PluginFailed, paths=paths)


def test_ends_of_an_address_may_be_a_list(fake: FakeServer) -> None:
    fake.routes = {("POST", "/x"): lambda exchange: exchange.send_json(exchange.path)}
    paths: Any = ["/x", "/y"]
    asked = Endpoint(url=fake.url, words=WORDS, error=PluginFailed, paths=paths)
    assert asked.post({}, end=time.monotonic() + 5) == "/x"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"gizli", {"gizli"}, {(1,): 2}])
def test_body_that_is_no_json_is_told_and_not_sent(fake: FakeServer, value: object) -> None:
    with pytest.raises(PluginFailed, match="not JSON") as caught:
        endpoint(fake.url).post({"x": value}, end=time.monotonic() + 5)
    assert fake.requests == [] and "gizli" not in str(caught.value)


@pytest.mark.parametrize("end", [float("inf"), 1e300])
def test_end_may_be_never(fake: FakeServer, end: float) -> None:
    fake.routes = {("POST", "/"): lambda exchange: exchange.send_json("ığ")}
    assert endpoint(fake.url).post({"metin": "ışık \ud800"}, end=end) == "ığ"
    with pytest.raises(PluginFailed, match="did not answer in time"):
        endpoint(fake.url).post({}, end=float("nan"))


def drip_head(exchange: Exchange) -> None:
    exchange.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        exchange.wfile.write(b"a")
        exchange.wait(0.05)


def say_continue(exchange: Exchange) -> None:
    while True:
        exchange.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        exchange.wait(0.01)


@pytest.mark.parametrize("route", [drip_head, say_continue])
@pytest.mark.parametrize("used", [False, True])
def test_head_that_never_ends_is_late(
    fake: FakeServer, route: Callable[[Exchange], None], used: bool
) -> None:
    asked = endpoint(fake.url)
    if used:
        fake.routes = {("POST", "/"): lambda exchange: exchange.send_json("ığ")}
        assert asked.post({}, end=time.monotonic() + 5) == "ığ"
    fake.routes = {("POST", "/"): route}
    start = time.monotonic()
    with pytest.raises(PluginFailed, match="did not answer in time; ask for less$"):
        asked.post({}, end=start + 0.2)
    assert 0.2 <= time.monotonic() - start < 0.7
    assert fake.disconnected.wait(3.0)


def test_connection_is_kept_for_the_next_request(fake: FakeServer) -> None:
    fake.routes = {("POST", "/"): lambda exchange: exchange.send_json(exchange.client_address)}
    asked = endpoint(fake.url)
    first = asked.post({}, end=time.monotonic() + 5)
    assert asked.post({}, end=time.monotonic() + 5) == first


def test_password_in_a_wrong_address_is_not_told() -> None:
    with pytest.raises(SettingsError, match="has the host 'a..b'") as caught:
        endpoint("http://kullanici:gizli@a..b/x")
    assert "gizli" not in f"{caught.value!r} {caught.value.__cause__!r}"
