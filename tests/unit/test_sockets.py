"""Requests end when they are told to, whatever the server sends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
import requests
import urllib3

from docrag.sockets import Cutoff, FreshAdapter, WatchedAdapter, ended_at, watching
from docrag.testing.server import Exchange, FakeServer

#: Seconds that a request of these tests may take, and after which it must have ended.
WITHIN, AT_MOST = 0.1, 0.6


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture(params=[WatchedAdapter, FreshAdapter])
def session(request: pytest.FixtureRequest) -> Iterator[requests.Session]:
    adapter: type[WatchedAdapter] = request.param
    with requests.Session() as made:
        made.mount("http://", adapter())
        yield made


def endless(before: bytes, piece: bytes) -> Callable[[Exchange], None]:
    """A route that never comes to the end of its head."""

    def route(exchange: Exchange) -> None:
        exchange.wfile.write(before)
        while True:
            exchange.wfile.write(piece)
            exchange.wait(0.01)

    return route


HEAD = b"HTTP/1.1 200 OK\r\nX: "
DRIPS: dict[str, Callable[[Exchange], None]] = {
    "value": endless(HEAD, b"a"),
    "headers": endless(HEAD, b"a\r\nX: "),
    "status": endless(b"HTTP/1.1 200 ", b"O"),
    "continue": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": endless(HEAD + b"a\r\n\r\n", b" "),
    "silence": lambda exchange: exchange.wait(30.0),
}


@pytest.mark.parametrize("kind", DRIPS)
def test_request_ends_in_time(fake: FakeServer, session: requests.Session, kind: str) -> None:
    fake.routes = {("GET", "/x"): DRIPS[kind]}
    start = time.monotonic()
    with pytest.raises(TimeoutError), ended_at(start + WITHIN):
        session.get(f"{fake.url}/x", timeout=5.0)
    assert WITHIN <= time.monotonic() - start < AT_MOST
    assert fake.disconnected.wait(3.0)


def test_connection_that_is_used_again_ends_in_time(fake: FakeServer) -> None:
    peers = []

    def answer(exchange: Exchange) -> None:
        peers.append(exchange.client_address)
        exchange.send_json("ığ")

    def drip(exchange: Exchange) -> None:
        peers.append(exchange.client_address)
        DRIPS["continue"](exchange)

    fake.routes = {("GET", "/a"): answer, ("GET", "/b"): drip}
    with requests.Session() as session:
        session.mount("http://", WatchedAdapter())
        for _ in range(2):
            with ended_at(time.monotonic() + 5):
                assert session.get(f"{fake.url}/a", timeout=5.0).json() == "ığ"
        start = time.monotonic()
        with pytest.raises(TimeoutError), ended_at(start + WITHIN):
            session.get(f"{fake.url}/b", timeout=5.0)
    assert time.monotonic() - start < AT_MOST
    assert len(peers) == 3 and len(set(peers)) == 1


def test_end_is_no_matter_of_the_next_request(fake: FakeServer) -> None:
    fake.routes = {("GET", "/x"): lambda exchange: exchange.send_json(exchange.client_address)}
    cutoff = Cutoff()
    with requests.Session() as session:
        session.mount("http://", WatchedAdapter())
        with watching(cutoff):
            first = session.get(f"{fake.url}/x", timeout=5.0).json()
        cutoff.cut()
        assert session.get(f"{fake.url}/x", timeout=5.0).json() == first


def test_request_that_is_cut_before_it_begins_is_cut(fake: FakeServer) -> None:
    fake.routes = {("GET", "/x"): lambda exchange: exchange.send_json({})}
    cutoff = Cutoff()
    cutoff.cut()
    with requests.Session() as session, pytest.raises(requests.RequestException):
        session.mount("http://", WatchedAdapter())
        with watching(cutoff):
            session.get(f"{fake.url}/x", timeout=5.0)


def test_other_thread_ends_what_waits(fake: FakeServer, session: requests.Session) -> None:
    fake.routes = {("GET", "/x"): DRIPS["silence"]}
    cutoff = Cutoff()
    timer = threading.Timer(0.05, cutoff.cut)
    timer.start()
    start = time.monotonic()
    with watching(cutoff), pytest.raises((requests.RequestException, urllib3.exceptions.HTTPError)):
        session.get(f"{fake.url}/x", timeout=5.0)
    assert time.monotonic() - start < AT_MOST
    timer.join()


@pytest.mark.parametrize("error", [ConnectionResetError, ValueError, KeyboardInterrupt])
def test_error_in_time_stays_what_it_is(error: type[BaseException]) -> None:
    before = threading.active_count()
    with pytest.raises(error), ended_at(time.monotonic() + 60):
        raise error
    end = time.monotonic() + 3
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_end_may_be_never() -> None:
    with ended_at(float("inf")):
        pass
