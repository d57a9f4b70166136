"""The form of names: of roles and users, of mail addresses, and those that others give."""

from __future__ import annotations

import re
import unicodedata

from docrag.api import StoreError

_ROLE = re.compile(r"[\w.-]{1,64}")
#: Printable ASCII only, so that no two spellings of an address look or fold alike.
_EMAIL = re.compile(r"[!-?\[-~]+@[a-z0-9.-]+")
#: Longest mail address, characters (RFC 5321, section 4.5.3.1.3).
_EMAIL_LENGTH = 254
#: Longest name of an issuer, and of a person or group there, bytes: they share an index entry.
ISSUER_BYTES, FOREIGN_BYTES = 512, 1024
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_USERNAME = re.compile(r"[^\s\x00-\x1f\x7f-\xa0\ud800-\udfff]{1,128}")


def is_role_name(name: str) -> bool:
    """True for 1 to 64 letters, digits or ``_.-``, letters of any script in composed form (NFC)."""
    return _ROLE.fullmatch(name) is not None and unicodedata.is_normalized("NFC", name)


def is_username(name: str) -> bool:
    """True for 1 to 128 visible signs without spaces in composed form (NFC)."""
    return _USERNAME.fullmatch(name) is not None and unicodedata.is_normalized("NFC", name)


def checked_role_name(name: str) -> str:
    """The name in composed form (NFC).

    :raises StoreError: it is not the name of a role.
    """
    composed = unicodedata.normalize("NFC", name)
    if is_role_name(composed):
        return composed
    raise StoreError(f"{name!r} cannot name a role: 1 to 64 letters, digits or _ . - are allowed")


def checked_username(name: str) -> str:
    """The name in composed form (NFC).

    :raises StoreError: it is not the name of a user.
    """
    composed = unicodedata.normalize("NFC", name)
    if is_username(composed):
        return composed
    raise StoreError(f"{name!r} cannot name a user: 1 to 128 signs without spaces are allowed")


def email_of(address: str) -> str | None:
    """The address in lower case, ``None`` for what cannot be one; letters are ASCII only."""
    if not address.isascii():
        return None
    lowered = address.lower()
    fits = len(lowered) <= _EMAIL_LENGTH and _EMAIL.fullmatch(lowered) is not None
    return lowered if fits else None


def checked_email(address: str) -> str:
    """The address in lower case.

    :raises StoreError: it is not a mail address of ASCII characters.
    """
    lowered = email_of(address)
    if lowered is None:
        raise StoreError(f"{address!r} is not a mail address; write name@host in ASCII letters")
    return lowered


def is_foreign(name: str, *, most: int = FOREIGN_BYTES) -> bool:
    """True for what another system may call a person, a group or itself; compared as it is.

    :param most: longest name, bytes in UTF-8.
    """
    return bool(name) and not _CONTROL.search(name) and len(name.encode()) <= most


def check_foreign(issuer: str, name: str, what: str) -> None:
    """Refuse names of another system that cannot be kept.

    :param what: what ``name`` names, for the message.
    :raises StoreError: one of them is empty, too long, or holds control characters.
    """
    if not is_foreign(issuer, most=ISSUER_BYTES):
        raise StoreError(f"an issuer has 1 to {ISSUER_BYTES} bytes and no control characters")
    if not is_foreign(name):
        raise StoreError(f"a {what} has 1 to {FOREIGN_BYTES} bytes and no control characters")
