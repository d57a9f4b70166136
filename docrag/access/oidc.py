"""An OpenID Connect issuer, whose access tokens are checked with its published keys."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import jwt
import requests

from docrag.access.assertion import Assertion
from docrag.access.claims import BadToken, Claims, checked, key_id
from docrag.access.names import email_key
from docrag.api import DocragError, SettingsError

logger = logging.getLogger(__name__)

#: Public-key algorithms that are taken; a shared secret never is, nor an unsigned token.
ALGORITHMS: Final = ("RS256", "ES256")
#: Seconds that the issuer's keys are believed before they are fetched again.
FRESH: Final = 600.0
#: Seconds that they are believed while the issuer cannot be reached.
STALE: Final = 3600.0
#: Least seconds between two fetches, so that made-up key names do not become a flood there.
PAUSE: Final = 10.0
#: Seconds that the issuer has to answer.
TIMEOUT: Final = 5.0
#: Largest answer of the issuer that is read, bytes.
LARGEST: Final = 1024 * 1024
#: Where the issuer describes itself (OpenID Connect Discovery 1.0, section 4).
DISCOVERY: Final = "/.well-known/openid-configuration"
#: Most groups that are read of a token, and most characters of one's identifier.
MOST_GROUPS: Final = 500
LONGEST_GROUP: Final = 256


class IssuerUnavailable(DocragError):
    """The identity provider cannot be reached or does not answer as one."""


class Issuer:
    """Checks tokens of one issuer; its keys are fetched on first use and kept. Thread-safe."""

    def __init__(self, url: str, *, audience: str, groups_claim: str = "groups") -> None:
        """Fetch nothing yet.

        :param url: the issuer's URL, https, or http on this machine.
        :param audience: whom its access tokens must be meant for.
        :param groups_claim: claim that lists a person's groups; dots lead into nested objects.
        :raises SettingsError: the URL could be listened to, or no audience is set.
        """
        if not _is_safe(url):
            raise SettingsError(f"DOCRAG_OIDC_ISSUER is {url!r}; it must begin with https://")
        if not audience:
            raise SettingsError(
                "set DOCRAG_OIDC_CLIENT_ID or DOCRAG_OIDC_AUDIENCE beside the issuer"
            )
        #: The name that identities and groups are kept under.
        self.url = issuer_key(url)
        self._audience = audience
        self._groups_claim = groups_claim
        self._lock = threading.Lock()
        self._keys: Mapping[str | None, jwt.PyJWK] = {}
        #: The issuer's own spelling of its URL, which its tokens must repeat exactly.
        self._name = url
        self._fetched = -STALE
        self._tried = -STALE

    def verify(self, token: str) -> Assertion:
        """The person whom an access token of this issuer names.

        :raises BadToken: it is malformed, expired, of another issuer, or for somebody else.
        :raises IssuerUnavailable: no keys are at hand to check it with.
        """
        key = self._key(key_id(token))
        claims = checked(
            token, key, algorithms=ALGORITHMS, issuer=self._name, audience=self._audience
        )
        return Assertion(
            issuer=self.url,
            subject=claims["sub"],
            email=_vouched_email(claims),
            groups=groups_of(claims, self._groups_claim),
        )

    def _key(self, name: str | None) -> jwt.PyJWK:
        """The issuer's key of this name; a lone key may go without one.

        :raises BadToken: the issuer has no such key.
        """
        with self._lock:
            now = time.monotonic()
            age, rested = now - self._fetched, now - self._tried >= PAUSE
            if (age > FRESH or name not in self._keys) and rested:
                self._tried = now
                self._refresh(now)
            elif age > STALE:
                raise IssuerUnavailable("the identity provider cannot be reached just now")
            keys = self._keys
        found = keys.get(name)
        if found is None and name is None and len(keys) == 1:
            found = next(iter(keys.values()))
        if found is None:
            raise BadToken("the token is signed with a key that its issuer does not have")
        return found

    def _refresh(self, now: float) -> None:
        """Fetch name and keys; what was fetched before serves a while if that fails.

        :raises IssuerUnavailable: it fails and nothing recent is at hand.
        """
        try:
            about = _fetch(self.url + DISCOVERY)
            name, address = about.get("issuer"), about.get("jwks_uri")
            if not isinstance(name, str) or issuer_key(name) != self.url:
                raise IssuerUnavailable("the identity provider calls itself by another URL")
            if not isinstance(address, str) or not _is_safe(address):
                raise IssuerUnavailable("the identity provider has no safe address of its keys")
            self._keys = _signing_keys(_fetch(address))
        except IssuerUnavailable as exc:
            if now - self._fetched > STALE:
                raise
            logger.warning("old keys of the issuer: %s", exc, extra={"action": "issuer_stale"})
            return
        self._name, self._fetched = name, now


def issuer_key(url: str) -> str:
    """The name under which identities and groups of an issuer are kept: no slash at the end."""
    return url.strip().rstrip("/")


def groups_of(claims: Claims, claim: str) -> tuple[str, ...]:
    """Groups in the claims of a token, each once, in order; of a wrong form: none.

    :param claim: name of the claim, or a path of names with dots (``realm_access.roles``).
    """
    found: object = claims.get(claim)
    if found is None:
        found = claims
        for step in claim.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
    listed = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    names = [name for name in listed if isinstance(name, str) and 0 < len(name) <= LONGEST_GROUP]
    return tuple(dict.fromkeys(names))[:MOST_GROUPS]


def _vouched_email(claims: Claims) -> str | None:
    """The mail address, if the issuer says that it has verified it (some say so in a string)."""
    email = claims.get("email")
    vouched = claims.get("email_verified") in (True, "true")
    return email_key(email) if vouched and isinstance(email, str) else None


def _signing_keys(document: Mapping[str, Any]) -> dict[str | None, jwt.PyJWK]:
    """The public signing keys of a key set (RFC 7517) that we can use, by name."""
    listed = document.get("keys")
    keys: dict[str | None, jwt.PyJWK] = {}
    for item in listed if isinstance(listed, list) else []:
        if not isinstance(item, dict) or item.get("kty") not in ("RSA", "EC"):
            continue  # a symmetric key in a public set is never taken
        if item.get("use", "sig") != "sig" or item.get("alg", "RS256") not in ALGORITHMS:
            continue
        try:
            name = item.get("kid")
            keys[name if isinstance(name, str) else None] = jwt.PyJWK(item)
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            logger.warning("a key of the issuer is malformed", extra={"action": "issuer_key"})
    return keys


def _fetch(url: str) -> Mapping[str, Any]:
    """A JSON object from the issuer; redirects are not followed.

    :raises IssuerUnavailable: anything else came, or nothing.
    """
    try:
        with requests.get(url, timeout=TIMEOUT, allow_redirects=False, stream=True) as response:
            response.raise_for_status()
            found = json.loads(response.raw.read(LARGEST, decode_content=True))
    except (requests.RequestException, OSError, ValueError) as exc:
        raise IssuerUnavailable("the identity provider cannot be reached just now") from exc
    if not isinstance(found, dict):
        raise IssuerUnavailable("the identity provider does not answer as one")
    return found


def _is_safe(url: str) -> bool:
    """True for https, and for http that never leaves this machine."""
    parts = urlsplit(url)
    loopback = parts.hostname in ("127.0.0.1", "::1", "localhost")
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and loopback)
    )
