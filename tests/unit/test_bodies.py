from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
import requests
import urllib3

from docrag.api import BodyTooLarge, whole_body
from docrag.testing.server import Exchange, FakeServer

TEXT = "ışık İĞ".encode() * 10


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def body(
    fake: FakeServer, route: Callable[[Exchange], None], *, within: float = 5.0, most: int = 1000
) -> bytes:
    fake.routes = {("GET", "/x"): route}
    with requests.get(f"{fake.url}/x", stream=True, timeout=5.0) as response:
        return whole_body(response, end=time.monotonic() + within, most=most)


@pytest.mark.parametrize("data", [b"", TEXT])
def test_body_is_whole(fake: FakeServer, data: bytes) -> None:
    assert body(fake, lambda exchange: exchange.send_bytes(data), most=len(TEXT)) == data


def test_body_beyond_the_limit_is_left_unread(fake: FakeServer) -> None:
    with pytest.raises(BodyTooLarge, match="more than 10 bytes"):
        body(fake, lambda exchange: exchange.send_bytes(TEXT), most=10)


def test_body_that_does_not_end_in_time_is_left(fake: FakeServer) -> None:
    def drip(exchange: Exchange) -> None:
        exchange.start_stream("text/plain")
        while True:
            exchange.wait(0.02)
            exchange.send_piece(b" ")

    with pytest.raises(TimeoutError):
        body(fake, drip, within=0.1)


def test_body_that_breaks_off_is_an_error(fake: FakeServer) -> None:
    def cut(exchange: Exchange) -> None:
        exchange.start_stream("text/plain")
        exchange.send_piece(TEXT)
        exchange.cut()

    with pytest.raises(urllib3.exceptions.HTTPError):
        body(fake, cut)
