"""Signed tokens: every fault is refused, whoever made the token."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.access.claims import (
    LEEWAY,
    LONGEST,
    BadToken,
    Claims,
    algorithm,
    checked,
    key_id,
    looks_signed,
)

KEY = b"k" * 32
OTHER = b"o" * 32


def part(value: object) -> str:
    """One part of a token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def claims(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - claims
    """Right claims, some replaced; ``None`` leaves one out."""
    now = int(time.time())
    right = {"iss": "kaynak", "aud": "biz", "sub": "ayşe", "iat": now, "exp": now + 300}
    return {key: value for key, value in {**right, **more}.items() if value is not None}


def signed(key: bytes = KEY, algorithm: str = "HS256", **more: Any) -> str:  # noqa: ANN401 - claims
    """A token with right claims, some replaced."""
    return jwt.encode(claims(**more), key, algorithm=algorithm)


def check(token: str, **more: Any) -> Claims:  # noqa: ANN401 - arguments
    """The claims of a token that must be ours."""
    wanted = {"algorithms": ["HS256"], "issuer": "kaynak", "audience": "biz", **more}
    return checked(token, KEY, **wanted)


def test_right_token_gives_its_claims() -> None:
    assert check(signed())["sub"] == "ayşe"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"exp": 1}, "expired"),
        ({"exp": int(time.time()) - LEEWAY - 5, "iat": 1}, "expired"),
        ({"iat": int(time.time()) + 90_000, "exp": int(time.time()) + 99_000}, "not valid yet"),
        ({"nbf": int(time.time()) + 90_000}, "not valid yet"),
        ({"iss": "başka"}, "another issuer"),
        ({"aud": "onlar"}, "somebody else"),
        ({"aud": ["onlar", "şunlar"]}, "somebody else"),
        ({"exp": None}, "lacks"),
        ({"iat": None}, "lacks"),
        ({"sub": None}, "lacks"),
        ({"iss": None}, "lacks|issuer"),
        ({"aud": None}, "lacks|somebody else"),
        ({"sub": ""}, "nobody"),
        ({"sub": 5}, "malformed"),
        ({"exp": "yarın"}, "malformed"),
        ({"exp": float("inf")}, "malformed"),
        ({"exp": float("nan")}, "malformed"),
        ({"exp": [9]}, "malformed"),
        ({"exp": str(int(time.time()) + 90_000)}, "not numbers"),
        ({"iat": True}, "not numbers"),
    ],
)
def test_wrong_claims_are_refused(more: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadToken, match=reason):
        check(signed(**more))


def test_expiry_within_the_leeway_is_taken() -> None:
    now = int(time.time())
    assert check(signed(iat=now - 60, exp=now - LEEWAY // 2))["sub"] == "ayşe"


@pytest.mark.parametrize(("life", "fine"), [(3600, True), (3601, False)])
def test_life_is_limited(life: int, fine: bool) -> None:
    now = int(time.time())
    token = signed(iat=now, exp=now + life)
    if fine:
        assert check(token, longest=3600)["exp"] == now + life
    else:
        with pytest.raises(BadToken, match="lives longer than 3600 s"):
            check(token, longest=3600)


def test_foreign_signature_is_refused() -> None:
    with pytest.raises(BadToken, match="signature"):
        check(signed(OTHER))


@pytest.mark.parametrize("name", ["none", "None", "NONE", "nOnE", "", "HS512", "RS256", None, 5])
def test_other_algorithm_is_refused(name: object) -> None:
    head, body, signature = signed().split(".")
    for end in (signature, ""):
        with pytest.raises(BadToken):
            check(f"{part({'alg': name, 'typ': 'JWT'})}.{body}.{end}")
    assert head


def test_hs512_of_the_same_key_is_refused() -> None:
    key = KEY * 2
    token = jwt.encode(claims(), key, algorithm="HS512")
    with pytest.raises(BadToken, match="signed in a way"):
        checked(token, key, algorithms=["HS256"], issuer="kaynak", audience="biz")


def test_truncated_token_is_refused_everywhere() -> None:
    token = signed()
    for end in range(0, len(token), 7):
        with pytest.raises(BadToken):
            check(token[:end])


@pytest.mark.parametrize(
    "token",
    [
        "", ".", "..", "...", "a.b.c", "ş.ı.ğ", "a.b", " . . ", "\x00.\x00.\x00", "\ud800.a.b",
        f"{part([])}.{part({})}.x",
        f"{part({'alg': 'HS256'})}.{part([1])}.x",
        f"{part({'alg': 'HS256', 'b64': False, 'crit': ['b64']})}.{part({})}.x",
        f"{part({'alg': 'HS256', 'kid': ['a']})}.{part({})}.x",
        base64.urlsafe_b64encode(b"[" * 3000).decode() + "..",
    ],
)  # fmt: skip
def test_malformed_token_is_refused(token: str) -> None:
    with pytest.raises(BadToken):
        check(token)


def test_endless_token_is_refused_unread() -> None:
    with pytest.raises(BadToken, match="too long"):
        check("a." + "b" * 1_000_000 + ".c")
    assert algorithm("a" * (LONGEST + 1)) == ""


def test_deep_claims_are_refused() -> None:
    body = base64.urlsafe_b64encode(b'{"a":' + b"[" * 2500 + b"]" * 2500 + b"}").decode()
    with pytest.raises(BadToken):
        check(f"{part({'alg': 'HS256'})}.{body}.x")


@given(st.text(max_size=200))
def test_any_text_is_refused(token: str) -> None:
    assert algorithm(token) in ("", "HS256")
    with pytest.raises(BadToken):
        check(token)


@given(st.integers(min_value=0), st.integers(min_value=0, max_value=63))
def test_flipped_letter_is_refused(place: int, by: int) -> None:
    token = signed()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    # The last letter of the signature has bits that mean nothing, as base64 is.
    at = place % (len(token) - 1)
    if token[at] == "." or by == 0:
        return
    other = letters[(letters.index(token[at]) + by) % 64]
    with pytest.raises(BadToken):
        check(token[:at] + other + token[at + 1 :])


def test_reason_quotes_nothing_of_the_token() -> None:
    with pytest.raises(BadToken) as caught:
        check(signed(iss="gizli-kaynak", aud="gizli"))
    assert "gizli" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_algorithm_and_key_id_are_read() -> None:
    token = jwt.encode(claims(), KEY, headers={"kid": "anahtar-1"})
    assert (algorithm(token), key_id(token)) == ("HS256", "anahtar-1")
    assert key_id(signed()) is None
    with pytest.raises(BadToken):
        key_id("a.b.c")


@pytest.mark.parametrize(("text", "fine"), [("a.b.c", True), ("dk-abc", False), ("a.b", False)])
def test_signed_form_is_told(text: str, fine: bool) -> None:
    assert looks_signed(text) is fine
