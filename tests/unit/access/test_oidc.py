"""Access tokens of an OpenID Connect issuer, a fake one over HTTP."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from docrag.access import oidc
from docrag.access.claims import BadToken
from docrag.access.oidc import Issuer, IssuerUnavailable, groups_of
from docrag.api import SettingsError
from docrag.testing.oidc import FakeIssuer
from docrag.testing.server import Exchange


@pytest.fixture
def fake() -> Iterator[FakeIssuer]:
    """The issuer's server."""
    with FakeIssuer(groups=["g1", "g2"]) as server:
        yield server


@pytest.fixture
def issuer(fake: FakeIssuer) -> Issuer:
    """The issuer as docrag sees it."""
    return Issuer(fake.url, audience="docrag")


def test_token_names_a_person(issuer: Issuer, fake: FakeIssuer) -> None:
    said = issuer.verify(fake.sign())
    assert (said.issuer, said.subject) == (fake.url, "kimlik-1")
    assert (said.email, said.groups) == ("ayse@example.org", ("g1", "g2"))


@pytest.mark.parametrize("fault", ["expired", "foreign_key", "wrong_issuer", "wrong_audience"])
def test_faulty_token_is_refused(issuer: Issuer, fake: FakeIssuer, fault: str) -> None:
    fake.fault = fault
    with pytest.raises(BadToken):
        issuer.verify(fake.sign())


@pytest.mark.parametrize("claim", ["exp", "iat", "iss", "aud", "sub"])
def test_token_without_a_claim_is_refused(issuer: Issuer, fake: FakeIssuer, claim: str) -> None:
    with pytest.raises(BadToken):
        issuer.verify(fake.sign(claims={claim: None}))


def test_unsigned_token_is_refused(issuer: Issuer, fake: FakeIssuer) -> None:
    claims = jwt.decode(fake.sign(), options={"verify_signature": False})
    token = jwt.encode(claims, "", algorithm="none", headers={"kid": fake.kid})
    with pytest.raises(BadToken):
        issuer.verify(token)


def test_public_key_as_shared_secret_is_refused(issuer: Issuer, fake: FakeIssuer) -> None:
    """The confusion of RS256 with HS256: the key is public, so anybody could sign with it."""
    claims = jwt.decode(fake.sign(), options={"verify_signature": False})
    public = fake.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    head = {"alg": "HS256", "typ": "JWT", "kid": fake.kid}
    parts = [jwt.utils.base64url_encode(json.dumps(part).encode()) for part in (head, claims)]
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    signed = jwt.utils.base64url_encode(signature.sign(b".".join(parts), public))
    with pytest.raises(BadToken, match="signed in a way"):
        issuer.verify(b".".join([*parts, signed]).decode())


def test_other_public_key_algorithm_is_refused(issuer: Issuer, fake: FakeIssuer) -> None:
    with pytest.raises(BadToken, match="signed in a way"):
        issuer.verify(fake.sign(algorithm="RS512"))


@pytest.mark.parametrize(
    ("verified", "email"),
    [
        (True, "ayse@example.org"),
        ("true", "ayse@example.org"),
        (False, None),
        ("false", None),
        (None, None),
        ("yes", None),
    ],
)
def test_address_needs_to_be_vouched_for(
    issuer: Issuer, fake: FakeIssuer, verified: object, email: str | None
) -> None:
    assert issuer.verify(fake.sign(claims={"email_verified": verified})).email == email


def test_slash_at_the_end_means_nothing(fake: FakeIssuer) -> None:
    assert Issuer(fake.url + "/", audience="docrag").verify(fake.sign()).issuer == fake.url


def test_issuer_may_write_a_slash_itself(fake: FakeIssuer) -> None:
    """Auth0 does; its tokens must then have it too."""
    url = f"{fake.url}/"

    def discovery(exchange: Exchange) -> None:
        exchange.send_json({"issuer": url, "jwks_uri": f"{url}jwks"})

    fake.routes = {**fake.routes, ("GET", "/.well-known/openid-configuration"): discovery}
    issuer = Issuer(fake.url, audience="docrag")
    assert issuer.verify(fake.sign(claims={"iss": url})).issuer == fake.url
    with pytest.raises(BadToken, match="another issuer"):
        issuer.verify(fake.sign())


def test_keys_are_fetched_once(issuer: Issuer, fake: FakeIssuer) -> None:
    for _ in range(3):
        issuer.verify(fake.sign())
    assert fake.key_calls == 1


def test_new_key_of_the_issuer_is_found(
    issuer: Issuer, fake: FakeIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer.verify(fake.sign())
    old = fake.sign()
    fake.rotate()
    monkeypatch.setattr(oidc, "PAUSE", 0.0)
    assert issuer.verify(fake.sign()).subject == "kimlik-1"
    with pytest.raises(BadToken):
        issuer.verify(old)


def test_made_up_keys_are_not_asked_for_each_time(issuer: Issuer, fake: FakeIssuer) -> None:
    for number in range(5):
        with pytest.raises(BadToken, match="does not have"):
            issuer.verify(fake.sign(kid=f"yok-{number}"))
    assert fake.key_calls == 1


def test_known_keys_serve_while_the_issuer_is_away(
    issuer: Issuer, fake: FakeIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer.verify(fake.sign())
    fake.fault = "no_keys"
    monkeypatch.setattr(oidc, "PAUSE", 0.0)
    monkeypatch.setattr(oidc, "FRESH", 0.0)
    assert issuer.verify(fake.sign()).subject == "kimlik-1"
    monkeypatch.setattr(oidc, "STALE", 0.0)
    with pytest.raises(IssuerUnavailable):
        issuer.verify(fake.sign())


@pytest.mark.parametrize("fault", ["no_discovery", "no_keys"])
def test_absent_issuer_is_told(issuer: Issuer, fake: FakeIssuer, fault: str) -> None:
    fake.fault = fault
    for _ in range(2):
        with pytest.raises(IssuerUnavailable):
            issuer.verify(fake.sign())


def test_stopped_issuer_is_told() -> None:
    with FakeIssuer() as fake:
        token, issuer = fake.sign(), Issuer(fake.url, audience="docrag")
    with pytest.raises(IssuerUnavailable):
        issuer.verify(token)


@pytest.mark.parametrize(
    "about",
    [
        {"issuer": "https://other.example", "jwks_uri": "https://other.example/jwks"},
        {"jwks_uri": "http://127.0.0.1/jwks"},
        {"issuer": None},
        [],
    ],
)
def test_strange_discovery_is_refused(fake: FakeIssuer, about: object) -> None:
    def discovery(exchange: Exchange) -> None:
        exchange.send_json(about)

    fake.routes = {**fake.routes, ("GET", "/.well-known/openid-configuration"): discovery}
    with pytest.raises(IssuerUnavailable):
        Issuer(fake.url, audience="docrag").verify(fake.sign())


def test_keys_over_plain_http_elsewhere_are_refused(fake: FakeIssuer) -> None:
    def discovery(exchange: Exchange) -> None:
        exchange.send_json({"issuer": fake.url, "jwks_uri": "http://keys.example/jwks"})

    fake.routes = {**fake.routes, ("GET", "/.well-known/openid-configuration"): discovery}
    with pytest.raises(IssuerUnavailable, match="safe address"):
        Issuer(fake.url, audience="docrag").verify(fake.sign())


def test_elliptic_key_is_taken_and_shared_secret_is_not(fake: FakeIssuer) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key()))
    shared = {"kty": "oct", "k": "c2hhcmVkLXNlY3JldC1vZi10aGlydHktdHdvLWJ5dGVzIQ", "kid": "s"}
    broken = {"kty": "EC", "crv": "P-256", "x": "!", "kid": "b"}
    keys = [{**public, "kid": "e"}, shared, broken, "x", {**public, "kid": "c", "use": "enc"}]

    def jwks(exchange: Exchange) -> None:
        exchange.send_json({"keys": keys})

    fake.routes = {**fake.routes, ("GET", "/jwks"): jwks}
    issuer = Issuer(fake.url, audience="docrag")
    claims = jwt.decode(fake.sign(), options={"verify_signature": False})
    token = jwt.encode(claims, key, algorithm="ES256", headers={"kid": "e"})
    assert issuer.verify(token).subject == "kimlik-1"
    for kid in ("s", "b", "c"):
        with pytest.raises(BadToken):
            issuer.verify(jwt.encode(claims, key, algorithm="ES256", headers={"kid": kid}))


def test_lone_key_may_go_without_a_name(issuer: Issuer, fake: FakeIssuer) -> None:
    claims = jwt.decode(fake.sign(), options={"verify_signature": False})
    assert issuer.verify(jwt.encode(claims, fake.key, algorithm="RS256")).subject == "kimlik-1"


@pytest.mark.parametrize(
    "url", ["http://login.example", "ftp://login.example", "login.example", "", "https://"]
)
def test_unsafe_issuer_is_a_wrong_setting(url: str) -> None:
    with pytest.raises(SettingsError, match="https://"):
        Issuer(url, audience="docrag")


def test_issuer_without_an_audience_is_a_wrong_setting() -> None:
    with pytest.raises(SettingsError, match="CLIENT_ID"):
        Issuer("https://login.example", audience="")


@pytest.mark.parametrize(
    ("claims", "claim", "groups"),
    [
        ({"groups": ["a", "b", "a"]}, "groups", ("a", "b")),
        ({"groups": "a"}, "groups", ("a",)),
        ({"realm_access": {"roles": ["a"]}}, "realm_access.roles", ("a",)),
        ({"https://x.example/g": ["a"]}, "https://x.example/g", ("a",)),
        ({}, "groups", ()),
        ({"groups": {"a": 1}}, "groups", ()),
        ({"groups": [1, None, "", "a", "x" * 300]}, "groups", ("a",)),
        ({"groups": None}, "groups.x", ()),
    ],
)
def test_groups_are_read(claims: dict[str, Any], claim: str, groups: tuple[str, ...]) -> None:
    assert groups_of(claims, claim) == groups


def test_expiry_is_the_issuers_affair_but_checked(issuer: Issuer, fake: FakeIssuer) -> None:
    now = int(time.time())
    assert issuer.verify(fake.sign(claims={"iat": now, "exp": now + 36_000})).subject == "kimlik-1"
