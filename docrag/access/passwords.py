"""Passwords: hashed with argon2id, made at random for the first run."""

from __future__ import annotations

import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

#: OWASP's profile for argon2id (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane.
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
#: Letters and digits that nobody mistakes for one another, easy to copy and to type.
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
#: Shortest password that is taken, characters (NIST SP 800-63B, section 5.1.1.2).
SHORTEST: Final = 8
#: Longest password that is taken, characters, so that hashing stays cheap.
LONGEST: Final = 1024


def new_password() -> str:
    """A random password of 20 letters and digits, 116 bits, without those that look alike."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(20))


def hash_password(password: str) -> str:
    """The argon2id hash of a password, with its parameters and salt.

    :raises ValueError: shorter than :data:`SHORTEST` or longer than :data:`LONGEST` characters.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise ValueError(
            f"a password has {SHORTEST} to {LONGEST} characters, this one has {len(password)}"
        )
    return _HASHER.hash(password)


def verify_password(stored: str | None, password: str) -> bool:
    """True if the password is the one that was hashed; takes the same time for no user.

    :param stored: hash of the user; ``None`` where there is no such user or no password.
    """
    try:
        return _HASHER.verify(stored or _nobody(), password) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def _nobody() -> str:
    """A hash that no password fits, with the cost of a real one."""
    salt, body = "c29tZXNhbHRzb21lc2FsdA", "A" * 43
    return f"$argon2id$v=19$m={19 * 1024},t=2,p=1${salt}${body}"
