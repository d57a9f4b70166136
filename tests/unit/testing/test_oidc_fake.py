"""The fake issuer does what a real one does."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests

from docrag.testing.oidc import FakeIssuer

BACK = "http://127.0.0.1:9/geri"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=")


@pytest.fixture
def fake() -> Iterator[FakeIssuer]:
    """A running issuer."""
    with FakeIssuer(email="ayse@example.org") as server:
        yield server


def begin(fake: FakeIssuer, **more: str) -> dict[str, list[str]]:
    """What ``/authorize`` sends back."""
    asked = {
        "client_id": "docrag", "redirect_uri": BACK, "state": "s", "nonce": "n",
        "code_challenge": CHALLENGE.decode(), "response_type": "code", **more,
    }  # fmt: skip
    answer = requests.get(f"{fake.url}/authorize", asked, allow_redirects=False, timeout=5)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(BACK)
    return parse_qs(urlsplit(answer.headers["Location"]).query)


def exchange(fake: FakeIssuer, code: str, **more: str) -> requests.Response:
    """The answer of the token endpoint."""
    form = {"code": code, "redirect_uri": BACK, "code_verifier": VERIFIER, **more}
    client = ("docrag", "fake-client-secret")
    return requests.post(f"{fake.url}/token", form, auth=client, timeout=5)


def test_discovery_names_the_endpoints(fake: FakeIssuer) -> None:
    about = requests.get(f"{fake.url}/.well-known/openid-configuration", timeout=5).json()
    assert about["issuer"] == fake.url
    assert all(about[name].startswith(fake.url) for name in about if name.endswith("_endpoint"))


def test_sign_in_gives_tokens_once(fake: FakeIssuer) -> None:
    answer = begin(fake)
    assert answer["state"] == ["s"]
    given: Any = exchange(fake, answer["code"][0]).json()
    claims = jwt.decode(
        given["id_token"], fake.key.public_key(), algorithms=["RS256"], audience="docrag"
    )
    assert (claims["nonce"], claims["email"]) == ("n", "ayse@example.org")
    assert exchange(fake, answer["code"][0]).status_code == 400


@pytest.mark.parametrize(
    "more", [{"code_verifier": "x" * 43}, {"redirect_uri": "http://evil.example"}, {"code": "yok"}]
)
def test_wrong_exchange_is_refused(fake: FakeIssuer, more: dict[str, str]) -> None:
    code = begin(fake)["code"][0]
    assert exchange(fake, **{"code": code, **more}).status_code == 400


def test_wrong_client_secret_is_refused(fake: FakeIssuer) -> None:
    form = {"code": begin(fake)["code"][0], "redirect_uri": BACK, "code_verifier": VERIFIER}
    for more in ({}, {"client_id": "docrag", "client_secret": "x"}):
        assert requests.post(f"{fake.url}/token", form | more, timeout=5).status_code == 401


def test_denied_sign_in_sends_an_error(fake: FakeIssuer) -> None:
    fake.fault = "denied"
    assert begin(fake)["error"] == ["access_denied"]


def test_wrong_nonce_is_sent(fake: FakeIssuer) -> None:
    fake.fault = "wrong_nonce"
    given: Any = exchange(fake, begin(fake)["code"][0]).json()
    claims = jwt.decode(given["id_token"], options={"verify_signature": False})
    assert claims["nonce"] == "wrong"


@pytest.mark.parametrize(
    ("fault", "path"),
    [("no_discovery", "/.well-known/openid-configuration"), ("no_keys", "/jwks")],
)
def test_failing_part_answers_500(fake: FakeIssuer, fault: str, path: str) -> None:
    fake.fault = fault
    assert requests.get(fake.url + path, timeout=5).status_code == 500


def test_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fault"):
        FakeIssuer(fault="nonsense")
