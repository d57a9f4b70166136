"""Headers in which a trusted front end names a person."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from werkzeug.datastructures import Headers

from docrag.access import frontends
from docrag.access.frontends import (
    EMAIL,
    FORWARDED,
    GROUPS,
    SIGNED,
    USER_ID,
    BadAssertion,
    forwarded,
    plain,
    signed,
)

SECRET = "open-webui-and-docrag-share-this-one"


def openwebui(secret: str = SECRET, **more: Any) -> str:  # noqa: ANN401 - claims
    """A token as Open WebUI signs it, some claims replaced; ``None`` leaves one out."""
    now = int(time.time())
    right = {
        "sub": "kimlik-1", "email": "Ayse@Example.org", "name": "Ayşe Işık", "role": "user",
        "iss": "open-webui", "iat": now, "exp": now + 300,
    }  # fmt: skip
    given = {key: value for key, value in {**right, **more}.items() if value is not None}
    return jwt.encode(given, secret, algorithm="HS256")


def test_signed_token_names_a_person() -> None:
    said = signed(Headers({SIGNED: openwebui()}), secret=SECRET)
    assert (said.issuer, said.subject, said.email) == (
        "open-webui",
        "kimlik-1",
        "ayse@example.org",
    )
    assert said.groups == ()


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: openwebui("another-secret-of-thirty-two-bytes"), "signature"),
        (lambda: openwebui(iss="docrag"), "another issuer"),
        (lambda: openwebui(iss=None), "issuer|lacks"),
        (lambda: openwebui(exp=None), "lacks"),
        (lambda: openwebui(exp=int(time.time()) - 60), "expired"),
        (lambda: openwebui(exp=int(time.time()) + 3700), "lives longer"),
        (lambda: openwebui(iat=int(time.time()) + 500), "not valid yet"),
        (lambda: openwebui(sub=None), "lacks"),
        (lambda: openwebui(sub="a\nb"), "identifier"),
        (lambda: openwebui(sub="x" * 256), "identifier"),
        (lambda: openwebui(role="pending"), "waits in Open WebUI"),
        (lambda: jwt.encode({"sub": "a"}, "", algorithm="none"), "signed in a way"),
        (lambda: openwebui()[:-20], "signature|malformed"),
        (lambda: openwebui().rsplit(".", 1)[0] + ".", "signature|malformed"),
        (lambda: "a.b.c", "malformed"),
        (lambda: "{{USER_JWT}}", "placeholder"),
        (lambda: openwebui() + "," + openwebui(), "more than once"),
        (lambda: openwebui() + ", " + openwebui(sub="öteki"), "more than once"),
        (lambda: "", "names nobody"),
        (lambda: "x" * 1_000_000, "too long"),
    ],
)
def test_wrong_signed_token_is_refused(made: Callable[[], str], reason: str) -> None:
    with pytest.raises(BadAssertion, match=reason):
        signed(Headers({SIGNED: made()}), secret=SECRET)


@pytest.mark.parametrize("name", [*frontends.PLAIN, FORWARDED])
@pytest.mark.parametrize("beside", [True, False])
def test_plain_header_is_refused_where_tokens_are_asked_for(name: str, beside: bool) -> None:
    headers = Headers({name: "a@b.example", **({SIGNED: openwebui()} if beside else {})})
    with pytest.raises(BadAssertion, match="not taken"):
        signed(headers, secret=SECRET)


def test_signed_token_needs_a_secret() -> None:
    with pytest.raises(BadAssertion, match="DOCRAG_FRONTEND_SECRET"):
        signed(Headers({SIGNED: openwebui()}), secret="")


def test_address_that_is_none_vouches_for_nobody() -> None:
    for email in ("{{x}}", 5, ["a@b.example"], "a@b.example,c@d.example"):
        assert signed(Headers({SIGNED: openwebui(email=email)}), secret=SECRET).email is None


def test_plain_headers_name_a_person_and_groups() -> None:
    said = plain(Headers({EMAIL: "Ayse@Example.org", USER_ID: "k1", GROUPS: "g1, g2,,g1"}))
    assert (said.subject, said.email, said.groups) == ("k1", "ayse@example.org", ("g1", "g2"))


@pytest.mark.parametrize("given", [{EMAIL: "a@b.example"}, {USER_ID: "k1"}])
def test_one_plain_header_is_enough(given: dict[str, str]) -> None:
    assert plain(Headers(given)).issuer == "open-webui"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "names nobody"),
        ({GROUPS: "g1"}, "names nobody"),
        ({EMAIL: " "}, "names nobody"),
        ({EMAIL: "{{USER_EMAIL}}"}, "placeholder"),
        ({EMAIL: "{{LIBRECHAT_USER_EMAIL}}"}, "placeholder"),
        ({USER_ID: "{{USER_ID}}"}, "placeholder"),
        ({EMAIL: "a@b.example", GROUPS: "{{USER_GROUP_IDS}}"}, "placeholder"),
        ({EMAIL: "a@b.example,c@d.example"}, "more than once"),
        ({EMAIL: "a@b.example, a@b.example"}, "more than once"),
        ({USER_ID: "k1,k2"}, "more than once"),
        ({EMAIL: "ayşe"}, "not a mail address"),
        ({EMAIL: "\u212aemal@example.org"}, "not a mail address"),
        ({USER_ID: "k\x0b1"}, "identifier"),
        ({USER_ID: "x" * 1_000_000}, "too long"),
        ({EMAIL: "a@b.example", GROUPS: ",".join(map(str, range(501)))}, "more than 500"),
        ({EMAIL: "a@b.example", GROUPS: "g" * 257}, "too long"),
        ({EMAIL: "a@b.example", SIGNED: "a.b.c"}, "not taken"),
        ({EMAIL: "a@b.example", FORWARDED: "a.b.c"}, "not taken"),
    ],
)
def test_wrong_plain_headers_are_refused(given: dict[str, str], reason: str) -> None:
    with pytest.raises(BadAssertion, match=reason):
        plain(Headers(given))


def test_name_and_role_of_plain_headers_count_for_nothing() -> None:
    given = {USER_ID: "k1", "X-OpenWebUI-User-Role": "admin", "X-OpenWebUI-User-Name": "admin"}
    said = plain(Headers(given))
    assert (said.subject, said.email, said.groups) == ("k1", None, ())


@pytest.mark.parametrize("value", ["a.b.c", "Bearer a.b.c"])
def test_forwarded_token_is_read(value: str) -> None:
    assert forwarded(Headers({FORWARDED: value})) == "a.b.c"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {FORWARDED: ""},
        {FORWARDED: "{{LIBRECHAT_OPENID_ACCESS_TOKEN}}"},
        {FORWARDED: "a.b.c,a.b.c"},
        {FORWARDED: "a.b.c", EMAIL: "a@b.example"},
        {FORWARDED: "a.b.c", SIGNED: "a.b.c"},
    ],
)
def test_wrong_forwarded_token_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(BadAssertion):
        forwarded(Headers(given))


def test_refusal_quotes_no_token() -> None:
    token = openwebui("another-secret-of-thirty-two-bytes")
    with pytest.raises(BadAssertion) as caught:
        signed(Headers({SIGNED: token}), secret=SECRET)
    assert token not in str(caught.value)
