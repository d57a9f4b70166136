"""The form of role and user names."""

from __future__ import annotations

import re
import unicodedata

from docrag.api import StoreError

_ROLE = re.compile(r"[\w.-]{1,64}")
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
