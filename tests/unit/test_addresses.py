"""Addresses of model servers: which are taken, what is sent there, what messages call them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from requests.adapters import HTTPAdapter

from docrag.api import ServerAddress, SettingsError


def address(url: str, **options: Any) -> ServerAddress:  # noqa: ANN401 - wrong ones too
    return ServerAddress(name="the server", url=url, **options)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "a host$"), ("/api", "a host$"), ("http://", "a host$"), ("http://u:p@", "a host$"),
        ("http://x:y", "a host$"), ("http://[::1", "a host$"), (None, "without blanks$"),
        ("http://a b", "without blanks$"), ("http://x\n", "without blanks$"),
        ("localhost:11434", "not with 'localhost'$"), ("file:///etc/x", "not with 'file'$"),
        ("javascript:alert(1)", "not with 'javascript'$"), ("http://a..b", "'a..b', which no"),
    ],
)  # fmt: skip
def test_address_of_no_server_is_refused(url: Any, why: str) -> None:  # noqa: ANN401 - wrong ones
    with pytest.raises(SettingsError, match=f"^url of the server .*{why}"):
        address(url)


@pytest.mark.parametrize("url", ["http://ali:parola/x@h", "ftp://ali:parola@h", "http://u:parola@"])
def test_password_of_a_wrong_address_is_not_told(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        address(url)
    assert "parola" not in f"{caught.value!r} {caught.value.__cause__!r}"


@pytest.mark.parametrize(
    ("url", "ends", "whole"),
    [
        ("http://h", (), "http://h"),
        ("http://h/x/?a=1#b", (), "http://h/x/?a=1"),
        ("http://h", ("/x", "/y"), "http://h/x"),
        ("https://h:1/v1/", ("/x",), "https://h:1/v1/x"),
        ("http://h/v1/y/", ("/x", "/y"), "http://h/v1/y"),
        ("http://h/v1?a=1", ("/x",), "http://h/v1/x?a=1"),
    ],
)
def test_end_of_an_address_stands_before_its_query(
    url: str, ends: tuple[str, ...], whole: str
) -> None:
    assert address(url).at(*ends) == whole


@pytest.mark.parametrize("url", ["http://[::1]:80", "http://ışık.tr.", "http://u:p@h_1/a%20b"])
def test_label_has_host_and_no_password(url: str) -> None:
    label = address(url).label
    assert label.startswith("the server at http://")
    assert "p@" not in label


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({}, None),
        ({"api_key": "k"}, ("Authorization", "Bearer k")),
        ({"api_key": "k", "key_header": "x-api-key"}, ("x-api-key", "k")),
    ],
)
def test_session_carries_the_key(options: dict[str, str], sent: tuple[str, str] | None) -> None:
    headers = address("http://h", **options).session(HTTPAdapter).headers
    found = [(name, value) for name, value in headers.items() if "k" in str(value).split()]
    assert found == ([sent] if sent else [])


def test_session_does_without_the_environment(tmp_path: Path) -> None:
    pem = tmp_path / "ca.pem"
    pem.write_text("x")
    session = address("http://h", ca_file=str(pem)).session(HTTPAdapter)
    assert (session.trust_env, session.verify) == (False, str(pem))
    assert address("http://h").session(HTTPAdapter).verify is True
    assert session.headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("key", ["gizli\n", " gizli", "giz\nli", "şifre", 5])
def test_key_that_cannot_be_sent_is_refused(key: object) -> None:
    with pytest.raises(SettingsError, match="^api_key of the server ") as caught:
        address("http://h", api_key=key)
    assert str(key).strip() not in str(caught.value)


def test_user_name_and_key_are_one_too_many() -> None:
    with pytest.raises(SettingsError, match="leave one of them out$") as caught:
        address("http://ali:parola@h", api_key="gizli")
    assert "parola" not in str(caught.value) and "gizli" not in str(caught.value)
    both = address("http://ali:parola@h", api_key="gizli", key_header="x-api-key")
    assert both.session(HTTPAdapter).headers["x-api-key"] == "gizli"


def test_missing_authority_file_is_refused_without_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="^ca_file of the server ") as caught:
        address("https://h", ca_file=str(tmp_path / "gizli.pem"))
    assert "gizli" not in str(caught.value)
