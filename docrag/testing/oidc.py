"""A fake OpenID Connect issuer that signs in one scripted person, with the faults of real ones."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from jwt.algorithms import RSAAlgorithm

from docrag.testing.server import Exchange, FakeServer, Json

#: Ways to fail; the empty one works. ``foreign_key`` signs with a key that is not published, the
#: others name what is wrong in the tokens or which part answers 500.
FAULTS: Final = (
    "", "foreign_key", "wrong_issuer", "wrong_audience", "wrong_nonce", "expired", "no_discovery",
    "no_keys", "no_token", "denied",
)  # fmt: skip
#: Seconds that tokens live.
LIFE: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grant:
    """What a sign-in asked for, kept until its code is exchanged."""

    client_id: str
    redirect_uri: str
    nonce: str | None
    challenge: str | None


class FakeIssuer(FakeServer):
    """An issuer with discovery, keys, authorize, token and userinfo; use it in a ``with`` block.

    ``/authorize`` asks nobody: it sends the browser straight back with a code for ``person``.
    The token endpoint wants the client's secret, the redirect address and, where the sign-in
    began with one, the PKCE verifier (RFC 7636), and takes each code once.
    """

    def __init__(
        self,
        *,
        client_id: str = "docrag",
        client_secret: str = "fake-client-secret",  # noqa: S107 - of a fake
        fault: str = "",
        **person: Any,  # noqa: ANN401 - claims
    ) -> None:
        """Choose who signs in.

        :param fault: one of :data:`FAULTS`; may be changed while it runs.
        :param person: claims of the person, over the defaults.
        :raises ValueError: an unknown fault.
        """
        super().__init__()
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.client_id = client_id
        self.client_secret = client_secret
        self.fault = fault
        self.person: Json = {
            "sub": "kimlik-1",
            "name": "Ayşe Işık",
            "preferred_username": "ayşe",
            "email": "ayse@example.org",
            "email_verified": True,
            "groups": [],
            **person,
        }
        #: How often the keys were fetched.
        self.key_calls = 0
        self.key, self.kid = _first_key(), "anahtar-1"
        self._grants: dict[str, _Grant] = {}
        self.routes = {
            ("GET", "/.well-known/openid-configuration"): self._discovery,
            ("GET", "/jwks"): self._jwks,
            ("GET", "/authorize"): self._authorize,
            ("POST", "/token"): self._token,
            ("GET", "/userinfo"): self._userinfo,
            ("GET", "/logout"): self._logout,
        }

    def rotate(self) -> None:
        """Sign with a new key from now on; the old one is published no longer."""
        self.key = _new_key()
        self.kid = secrets.token_hex(4)

    def sign(
        self, *, claims: Mapping[str, object] | None = None, algorithm: str = "RS256", kid: str = ""
    ) -> str:
        """A token for ``person`` as an API gets it, with the fault in it.

        :param claims: replace the usual ones; ``None`` leaves one out.
        :param kid: name of the key in the header; the right one if empty.
        """
        now = int(time.time())
        expires = now - LIFE if self.fault == "expired" else now + LIFE
        issuer = "https://other.example" if self.fault == "wrong_issuer" else self.url
        audience = "other" if self.fault == "wrong_audience" else self.client_id
        usual = {**self.person, "iss": issuer, "aud": audience, "iat": now, "exp": expires}
        given = {**usual, **(claims or {})}
        key = _foreign_key() if self.fault == "foreign_key" else self.key
        return jwt.encode(
            {name: value for name, value in given.items() if value is not None},
            key,
            algorithm=algorithm,
            headers={"kid": kid or self.kid},
        )

    def _discovery(self, exchange: Exchange) -> None:
        if self._failed(exchange, "no_discovery"):
            return
        exchange.send_json(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "end_session_endpoint": f"{self.url}/logout",
                "jwks_uri": f"{self.url}/jwks",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "code_challenge_methods_supported": ["S256"],
                "scopes_supported": ["openid", "email", "profile", "groups"],
            }
        )

    def _jwks(self, exchange: Exchange) -> None:
        self.key_calls += 1
        if self._failed(exchange, "no_keys"):
            return
        public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        exchange.send_json({"keys": [{**public, "kid": self.kid, "use": "sig", "alg": "RS256"}]})

    def _authorize(self, exchange: Exchange) -> None:
        asked = _parameters(exchange.path.partition("?")[2])
        code = secrets.token_urlsafe(16)
        self._grants[code] = _Grant(
            client_id=asked.get("client_id", ""),
            redirect_uri=asked.get("redirect_uri", ""),
            nonce=asked.get("nonce"),
            challenge=asked.get("code_challenge"),
        )
        answer = {"error": "access_denied"} if self.fault == "denied" else {"code": code}
        if "state" in asked:
            answer["state"] = asked["state"]
        _redirect(exchange, f"{asked.get('redirect_uri', '')}?{urlencode(answer)}")

    def _token(self, exchange: Exchange) -> None:
        if self._failed(exchange, "no_token"):
            return
        form = _parameters(exchange.raw.decode())
        grant = self._grants.pop(form.get("code", ""), None)
        if self._client(exchange, form) != (self.client_id, self.client_secret):
            exchange.send_json({"error": "invalid_client"}, status=401)
        elif grant is None or not _fits(grant, form) or grant.client_id != self.client_id:
            exchange.send_json({"error": "invalid_grant"}, status=400)
        else:
            nonce = "wrong" if self.fault == "wrong_nonce" else grant.nonce
            exchange.send_json(
                {
                    "access_token": self.sign(),
                    "id_token": self.sign(claims={"nonce": nonce}),
                    "token_type": "Bearer",
                    "expires_in": LIFE,
                }
            )

    def _userinfo(self, exchange: Exchange) -> None:
        exchange.send_json(self.person)

    def _logout(self, exchange: Exchange) -> None:
        asked = _parameters(exchange.path.partition("?")[2])
        _redirect(exchange, asked.get("post_logout_redirect_uri", self.url))

    def _client(self, exchange: Exchange, form: dict[str, str]) -> tuple[str, str]:
        """Identifier and secret of the client, from the header or from the form."""
        scheme, _, given = (exchange.headers.get("Authorization") or "").partition(" ")
        if scheme.lower() == "basic":
            name, _, secret = base64.b64decode(given).decode().partition(":")
            return name, secret
        return form.get("client_id", ""), form.get("client_secret", "")

    def _failed(self, exchange: Exchange, fault: str) -> bool:
        if self.fault == fault:
            exchange.send_json({"error": "server_error"}, status=500)
        return self.fault == fault


@cache
def _first_key() -> RSAPrivateKey:
    """The key that every fake of a process begins with, since making one takes a while."""
    return _new_key()


@cache
def _foreign_key() -> RSAPrivateKey:
    """A key that no fake publishes."""
    return _new_key()


def _new_key() -> RSAPrivateKey:
    """A key of the least size that is taken, since a fake must start fast."""
    return generate_private_key(public_exponent=65537, key_size=2048)


def _parameters(text: str) -> dict[str, str]:
    """A query or a form with the last value of each name."""
    return {name: values[-1] for name, values in parse_qs(text).items()}


def _fits(grant: _Grant, form: dict[str, str]) -> bool:
    """True if the exchange of a code repeats what its sign-in began with."""
    if form.get("redirect_uri") != grant.redirect_uri:
        return False
    if grant.challenge is None:
        return True
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == grant.challenge


def _redirect(exchange: Exchange, address: str) -> None:
    exchange.send_response(302)
    exchange.send_header("Location", address)
    exchange.send_header("Content-Length", "0")
    exchange.end_headers()
