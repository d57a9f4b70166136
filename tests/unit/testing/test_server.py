from __future__ import annotations

import socket
import time

import pytest
import requests

from docrag.testing.server import FakeServer


def test_server_answers_on_loopback_and_records() -> None:
    with FakeServer() as fake:
        fake.routes = {("POST", "/x"): lambda exchange: exchange.send_json(exchange.body)}
        answer = requests.post(f"{fake.url}/x?a=1", json={"soru": "ışık"}, timeout=5)
    assert answer.json() == {"soru": "ışık"}
    assert fake.requests == [{"soru": "ışık"}]


def test_unknown_route_is_not_found() -> None:
    with FakeServer() as fake:
        assert requests.get(f"{fake.url}/y", timeout=5).status_code == 404


@pytest.mark.parametrize("body", [b"", b"{", b"[1]"])
def test_request_that_is_no_object_is_empty(body: bytes) -> None:
    with FakeServer() as fake:
        fake.routes = {("POST", "/x"): lambda exchange: exchange.send_json(exchange.body)}
        assert requests.post(f"{fake.url}/x", data=body, timeout=5).json() == {}


def test_failing_route_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with FakeServer() as fake:
        fake.routes = {("POST", "/x"): lambda exchange: exchange.send_json(object())}
        with pytest.raises(requests.ConnectionError):
            requests.post(f"{fake.url}/x", json={}, timeout=5)
    assert capfd.readouterr() == ("", "")


def test_leaving_client_is_noticed_while_waiting() -> None:
    with FakeServer() as fake:
        fake.routes = {("GET", "/x"): lambda exchange: exchange.wait(30.0)}
        host, port = "127.0.0.1", int(fake.url.rpartition(":")[2])
        with socket.create_connection((host, port)) as client:
            client.sendall(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
            assert not fake.disconnected.wait(0.1)
        assert fake.disconnected.wait(3.0)


def test_end_closes_waiting_connections() -> None:
    start = time.monotonic()
    with FakeServer() as fake:
        fake.routes = {("GET", "/x"): lambda exchange: exchange.wait(30.0)}
        client = socket.create_connection(("127.0.0.1", int(fake.url.rpartition(":")[2])))
        client.sendall(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.1)
    assert client.recv(100) == b""
    client.close()
    assert time.monotonic() - start < 5.0


def test_address_is_known_only_while_running() -> None:
    with pytest.raises(RuntimeError, match="with block"):
        _ = FakeServer().url
