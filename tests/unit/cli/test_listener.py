from __future__ import annotations

import socket

import pytest

from docrag.api import SettingsError
from docrag.cli import listener
from docrag.testing.server import FakeServer


def test_taken_port_is_a_settings_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port}.*set PORT"):
            listener.bind("127.0.0.1", port)


def test_port_is_taken_before_anybody_answers() -> None:
    with listener.bind("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port}"):
            listener.bind("127.0.0.1", port)


def test_foreign_address_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match=r"192\.0\.2\.1"):
        listener.bind("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104 - read, not bound
        ("::", "http://[::1]:80"),
        ("docrag.example", "http://docrag.example:80"),
    ],
)
def test_url_is_one_that_a_person_can_open(host: str, url: str) -> None:
    assert listener.url(host, 80) == url


def test_nobody_answers_on_a_bound_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_TIMEOUT", 0.1)
    with listener.bind("127.0.0.1", 0) as sock:
        assert not listener.answers("127.0.0.1", sock.getsockname()[1], "/readyz")


def test_answer_needs_status_200() -> None:
    with FakeServer() as server:
        port = int(server.url.rpartition(":")[2])
        assert not listener.answers("127.0.0.1", port, "/nowhere")
