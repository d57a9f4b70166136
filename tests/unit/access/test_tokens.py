"""Tokens that docrag gives for a password."""

from __future__ import annotations

import time
from typing import Any

import jwt
import pytest

from docrag.access.claims import BadToken
from docrag.access.tokens import Token, mint, stamp_of, verify

SECRET = "a secret of this installation"
TOKEN = Token(username="ışıl", stamp="0123456789abcdef")


def payload(token: str) -> dict[str, Any]:
    """Claims without a check."""
    found: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return found


def test_token_says_who_signed_in() -> None:
    assert verify(mint(TOKEN, secret=SECRET, minutes=15), secret=SECRET) == TOKEN


def test_token_holds_no_roles_and_lives_as_told() -> None:
    claims = payload(mint(TOKEN, secret=SECRET, minutes=15, now=1000.9))
    assert set(claims) == {"iss", "aud", "sub", "iat", "exp", "stamp"}
    assert (claims["iat"], claims["exp"]) == (1000, 1900)


def test_expired_token_is_refused() -> None:
    token = mint(TOKEN, secret=SECRET, minutes=1, now=time.time() - 120)
    with pytest.raises(BadToken, match="expired"):
        verify(token, secret=SECRET)


def test_token_of_another_installation_is_refused() -> None:
    with pytest.raises(BadToken, match="signature"):
        verify(mint(TOKEN, secret="another", minutes=15), secret=SECRET)


@pytest.mark.parametrize("key", [SECRET.encode(), SECRET.encode() * 2])
def test_secret_itself_signs_nothing(key: bytes) -> None:
    """A front end or a cookie that is signed with the same secret is no token."""
    token = jwt.encode(payload(mint(TOKEN, secret=SECRET, minutes=15)), key.ljust(32, b"\0"))
    with pytest.raises(BadToken, match="signature"):
        verify(token, secret=SECRET)


def test_token_without_a_stamp_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = mint(Token(username="a", stamp=5), secret=SECRET, minutes=15)  # type: ignore[arg-type] # on purpose
    with pytest.raises(BadToken, match="lacks"):
        verify(made, secret=SECRET)


@pytest.mark.parametrize("token", ["", "a.b.c", "dk-abc", "a" * 9000])
def test_malformed_token_is_refused(token: str) -> None:
    with pytest.raises(BadToken):
        verify(token, secret=SECRET)


def test_no_secret_is_never_used() -> None:
    with pytest.raises(ValueError, match="no secret"):
        mint(TOKEN, secret="", minutes=15)
    with pytest.raises(ValueError, match="no secret"):
        verify("a.b.c", secret="")


def test_stamp_changes_with_password_and_secret() -> None:
    stamps = {stamp_of(text, secret=key) for text in ("özet1", "özet2") for key in ("a", "b")}
    assert len(stamps) == 4
    assert stamp_of("özet1", secret="a") == stamp_of("özet1", secret="a")
