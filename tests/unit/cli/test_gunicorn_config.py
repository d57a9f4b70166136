from __future__ import annotations

import json
import runpy
import socket
from pathlib import Path
from typing import Any

import pytest

from docrag.cli import listener, weberrors

CONFIG = Path(listener.__file__).with_name("gunicorn_config.py")


def config(monkeypatch: pytest.MonkeyPatch, folder: Path, **variables: str) -> dict[str, Any]:
    """What gunicorn reads from the file under these variables."""
    for name, value in {"DOCRAG_INSTANCE": str(folder), **variables}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(CONFIG))


def test_web_server_goes_by_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = config(monkeypatch, tmp_path, PORT="9000", DOCRAG_WEB_THREADS="7")
    assert (made["bind"], made["threads"]) == ("127.0.0.1:9000", 7)
    assert made["worker_class"] == "gthread"
    assert made["control_socket_disable"] is True


def test_access_log_leaves_the_query_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = config(monkeypatch, tmp_path)
    assert made["accesslog"] is None
    # gunicorn's %(r)s and %(q)s hold the query string, %(f)s the referring page.
    assert not any(part in made["access_log_format"] for part in ("%(r)s", "%(q)s", "%(f)s"))


def test_ipv6_address_is_bracketed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert config(monkeypatch, tmp_path, DOCRAG_HOST="::1", PORT="80")["bind"] == "[::1]:80"


def test_no_forwarded_header_is_believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert config(monkeypatch, tmp_path)["forwarded_allow_ips"] == ""


def test_server_error_is_json() -> None:
    near, far = socket.socketpair()
    with near, far:
        weberrors.write_error(near, 431, "Request Header Fields Too Large", "GET /?soru=gizli")
        head, body = far.recv(10_000).split(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["error"]["type"] == "invalid_request_error"
    assert b"gizli" not in body
