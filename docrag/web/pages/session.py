"""Who is signed in, asked of the database anew at every request: the one user of Flask-Login."""

from __future__ import annotations

import hmac
import time
from typing import Final

from flask import session
from flask_login import UserMixin, current_user, login_user, logout_user

from docrag.access.tokens import stamp_of
from docrag.store.records import Principal
from docrag.web.extensions import login_manager, service

#: Where a session keeps the moment of signing in, seconds since 1970.
SINCE: Final = "since"
#: Where a session keeps which password the person had then.
STAMP: Final = "stamp"
#: What of a session outlives signing in and out.
KEPT: Final = ("language",)


class Person(UserMixin):  # type: ignore[misc] # the package has no annotations
    """Somebody who is signed in, with the roles of this moment."""

    def __init__(self, principal: Principal) -> None:
        """Keep who it is."""
        self.principal = principal

    def get_id(self) -> str:
        """What the session keeps of a person."""
        return self.principal.user.username


def begin(username: str) -> None:
    """Start a session of this user in place of whatever the browser had.

    :raises UnknownName: the user is gone or inactive since the credentials were checked.
    """
    forget()
    session.permanent = True
    session[SINCE] = int(time.time())
    session[STAMP] = _stamp(service().assistant.store.users.password_hash(username))
    found = load(username)
    if found is not None:
        login_user(found)


def forget() -> None:
    """End the session, so that its cookie and the tokens of its forms are worth nothing."""
    kept = {name: session[name] for name in KEPT if name in session}
    logout_user()
    session.clear()
    session.update(kept)


def current() -> Principal | None:
    """Who is signed in, ``None`` if nobody is."""
    if not current_user.is_authenticated:
        return None
    found: Principal = current_user.principal
    return found


def principal() -> Principal:
    """Who is signed in, on a page for those who are."""
    found: Principal = current_user.principal
    return found


@login_manager.user_loader  # type: ignore[untyped-decorator] # the package has no annotations
def load(username: str) -> Person | None:
    """The person of a session; ``None`` once it is too old or its rights are gone.

    A new password, a deactivated account and lost roles count from the next request on.
    """
    store = service().assistant.store
    since, longest = session.get(SINCE), service().settings.session_hours * 3600
    if not isinstance(since, int) or not 0 <= time.time() - since < longest:
        return None
    stamp = _stamp(store.users.password_hash(username))
    if not stamp or not hmac.compare_digest(stamp, str(session.get(STAMP, ""))):
        return None
    found = store.keys.as_user(username)
    return Person(found) if found is not None else None


def _stamp(password_hash: str | None) -> str:
    """What tells passwords apart and tells nothing of them; empty for nobody."""
    secret = service().settings.secret_key
    return stamp_of(password_hash, secret=secret) if password_hash and secret else ""
