"""Sign-in with user name and password: one message, the same time, and a brake on guessing."""

from __future__ import annotations

import math

from docrag.access.names import LONGEST, look, spellings
from docrag.access.passwords import verify_password
from docrag.api import AccessDenied
from docrag.store import Store


class SignInFailed(AccessDenied):
    """User name and password do not fit; nobody is told which of them is wrong."""


class SignInBraked(AccessDenied):
    """Too many failures; the next attempt counts after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        #: Whole seconds to wait, at least 1.
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"too many failed attempts; try again in {self.seconds} s")


def by_password(store: Store, username: str, password: str, *, address: str) -> tuple[str, str]:
    """The user whose password it is, after the brake has let the attempt through.

    :param username: as typed; capital letters and decomposed forms find the same user.
    :param address: where the request came from, for the brake.
    :returns: the user's name as it is stored, and the hash that the password fits.
    :raises SignInBraked: this name was tried too often from here; the password was not looked at.
    :raises SignInFailed: unknown or inactive user, or wrong password, after the same time.
    """
    typed = username[:LONGEST]
    # Counted as a failure before the password is looked at, so that attempts that arrive together
    # do not all get through; under one name for all spellings, or each would have its own count.
    counted = look(typed)
    wait = store.throttle.attempt(counted, address)
    if wait > 0:
        raise SignInBraked(wait)
    name, stored = _account(store, typed)
    if not verify_password(stored, password) or stored is None:
        raise SignInFailed("user name or password is wrong")
    store.throttle.succeeded(counted, address)
    return name, stored


def _account(store: Store, username: str) -> tuple[str, str | None]:
    """Name and password hash of the active user that is meant; no hash if there is none.

    Every spelling is asked for, found or not, so that the time tells nothing.
    """
    names = spellings(username)
    hashes = [store.users.password_hash(name) for name in names]
    pairs = zip(names, hashes, strict=True)
    return next(((name, found) for name, found in pairs if found), (names[0], None))
