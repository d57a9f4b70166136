"""Short-lived tokens that docrag gives for a password, for scripts and the command line."""

from __future__ import annotations

import hashlib
import hmac
import time
from dataclasses import dataclass
from typing import Final

import jwt

from docrag.access.claims import BadToken, checked

#: Who makes these tokens, and whom they are for.
ISSUER: Final = "docrag"
#: The one way in which they are signed.
ALGORITHM: Final = "HS256"
#: Names the purpose of the derived key, so that a session cookie can never pass as a token.
_PURPOSE: Final = b"docrag access token v1"
#: Hexadecimal digits of a stamp; 64 bits of a keyed hash cannot be hit by guessing online.
_STAMP: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What a token says: who signed in, and with which password. Roles are never in it."""

    username: str
    #: Of the password hash at that moment; another one means that the password has changed.
    stamp: str


def mint(token: Token, *, secret: str, minutes: float, now: float | None = None) -> str:
    """A signed token.

    :param secret: the secret key of this installation.
    :param minutes: its life.
    :param now: seconds since 1970; the clock's if ``None``.
    """
    issued = int(time.time() if now is None else now)
    claims = {
        "iss": ISSUER,
        "aud": ISSUER,
        "sub": token.username,
        "iat": issued,
        "exp": issued + int(minutes * 60),
        "stamp": token.stamp,
    }
    return jwt.encode(claims, _key(secret), algorithm=ALGORITHM)


def verify(token: str, *, secret: str) -> Token:
    """What a token of ours says.

    :raises BadToken: it is malformed, expired, signed by somebody else or in another way.
    """
    claims = checked(token, _key(secret), algorithms=[ALGORITHM], issuer=ISSUER, audience=ISSUER)
    stamp = claims.get("stamp")
    if not isinstance(stamp, str):
        raise BadToken("the token lacks a claim that it must have")
    return Token(username=claims["sub"], stamp=stamp)


def stamp_of(password_hash: str, *, secret: str) -> str:
    """A short keyed hash of a password hash, which changes with the password."""
    made = hmac.new(_key(secret), password_hash.encode(), hashlib.sha256)
    return made.hexdigest()[:_STAMP]


def _key(secret: str) -> bytes:
    """The signing key, 32 bytes.

    :raises ValueError: no secret, with which anybody could sign.
    """
    if not secret:
        raise ValueError("no secret key to sign tokens with")
    return hmac.new(secret.encode(), _PURPOSE, hashlib.sha256).digest()
