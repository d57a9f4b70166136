"""API keys: made once, shown once, stored as a hash."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field

from docrag.access.claims import LONGEST as LONGEST

#: Start of every key, so that secret scanners and people recognise one.
PREFIX = "dk-"
#: Random bytes of a key: 256 bits, beyond guessing, so a plain hash is enough to store it.
KEY_BYTES = 32
#: Characters of a key that are kept readable to tell keys apart; 5 random ones tell nothing.
SHOWN = len(PREFIX) + 5

_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A fresh key: the secret to show once, and what is stored of it."""

    secret: str = field(repr=False)
    digest: bytes = field(repr=False)
    prefix: str


def new_key() -> NewKey:
    """A fresh random key."""
    secret = PREFIX + secrets.token_urlsafe(KEY_BYTES)
    return NewKey(secret=secret, digest=digest(secret), prefix=secret[:SHOWN])


def digest(secret: str) -> bytes:
    """What is stored and looked up for a key: SHA-256 of its UTF-8 bytes, 32 bytes."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def is_key(credential: str) -> bool:
    """True for the outer form of an API key; other credentials are signed tokens."""
    return credential.startswith(PREFIX)


def bearer(header: str | None) -> str | None:
    """The credential of an ``Authorization: Bearer`` header (RFC 6750, section 2.1).

    :param header: value of the header; ``None`` if there is none.
    :returns: the credential, or ``None`` for no header, another scheme or a malformed one.
    """
    if header is None or len(header) > LONGEST:  # refused unread
        return None
    found = _BEARER.fullmatch(header)
    return found.group(1) if found else None
