"""Who calls and what that opens, worked out anew from the database for each request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from sqlalchemy import Connection, Row

from docrag.api import ADMIN_ROLE, Access, AccessDenied
from docrag.store import callers
from docrag.store.names import ISSUER_BYTES, email_of, is_foreign, is_username
from docrag.store.records import Principal, User

_Found: TypeAlias = Row[*tuple[Any, ...]]


class Person(Protocol):
    """Somebody for whom an issuer or a front end vouches."""

    @property
    def issuer(self) -> str:
        """Who says so, and names the groups; empty for nobody."""

    @property
    def subject(self) -> str:
        """The person's identifier there; empty for none."""

    @property
    def email(self) -> str | None:
        """Mail address, only where the issuer vouches for it."""

    @property
    def groups(self) -> Sequence[str]:
        """Groups of the person; unknown ones give nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bound:
    """The roles of a key: a bound also when all of them were retired."""

    is_set: bool
    #: Those in use.
    roles: frozenset[str]

    def within(self, roles: Iterable[str]) -> Access:
        """Access with those of the roles that the bound lets through.

        An administrator may read what any role reads, and so has all roles of a bound; the rights
        of one only if the bound names that role too.
        """
        own = frozenset(roles)
        if not self.is_set:
            return Access.of(own)
        return Access.of(self.roles if ADMIN_ROLE in own else self.roles & own)


def by_key(connection: Connection, key_hash: bytes) -> Principal | None:
    """Who calls with a key, see :meth:`docrag.store.keys.Keys.principal`."""
    found = connection.execute(callers.by_key(), {"key_hash": key_hash}).one_or_none()
    return None if found is None else _of_key(connection, found)


def by_key_and_person(
    connection: Connection, key_hash: bytes, person: Person
) -> tuple[Principal, Principal | None] | None:
    """Who calls with a key and whom it names, see :meth:`docrag.store.keys.Keys.speaking`."""
    asked = {"key_hash": key_hash, **_asked(person)}
    found = connection.execute(callers.by_key_and_person(), asked).one_or_none()
    if found is None:
        return None
    principal = _of_key(connection, found)
    if found.person_id is None:
        return principal, None
    return principal, _behind(principal, _user(found, callers.PERSON), found)


def by_name(connection: Connection, username: str) -> Principal | None:
    """A user without a key, see :meth:`docrag.store.keys.Keys.as_user`."""
    if not is_username(username):
        return None
    found = connection.execute(callers.by_name(), {"username": username}).one_or_none()
    if found is None:
        return None
    user = _user(found)
    return Principal(user=user, key_id=None, access=Access.of(user.roles), kind="session")


def by_person(connection: Connection, person: Person) -> Principal:
    """A user for whom an issuer vouches, see :meth:`docrag.store.keys.Keys.vouched`."""
    found = connection.execute(callers.by_person(), _asked(person)).one_or_none()
    if found is None:
        raise _no_account(person)
    user = _user(found)
    access = Access.of(_with_mapped(user, found.mapped))
    return Principal(user=user, key_id=None, access=access, kind="token")


def by_frontend(connection: Connection, principal: Principal, person: Person) -> Principal:
    """A user whom a front end names, see :meth:`docrag.store.keys.Keys.acting`."""
    asked = {"key_id": principal.key_id, **_asked(person)}
    found = connection.execute(callers.by_person_and_frontend(), asked).one_or_none()
    if found is None:
        raise _no_account(person)
    if found.key_id is None:
        raise AccessDenied("this key may not speak for a user; use a key of kind 'frontend'")
    return _behind(principal, _user(found), found)


def _of_key(connection: Connection, found: _Found) -> Principal:
    """The caller with a key; its use is noted."""
    if found.is_stale:
        connection.execute(callers.note_use(), {"key_id": found.key_id})
    user, bound = _user(found), _bound(found)
    access = {
        "user": bound.within(user.roles),
        "service": Access.of(bound.roles),
        "frontend": Access.of([]),
    }
    return Principal(
        user=user,
        key_id=found.key_id,
        access=access[found.kind],
        kind=found.kind,
        method=found.method,
        citations=found.citations,
    )


def _behind(principal: Principal, user: User, found: _Found) -> Principal:
    """A user behind a front end, with its bound and the groups' roles of the same row."""
    return Principal(
        user=user,
        key_id=principal.key_id,
        access=_bound(found).within(_with_mapped(user, found.mapped)),
        kind="frontend",
        frontend=found.key_name,
        method=principal.method,
        citations=found.citations,
    )


def _user(found: _Found, prefix: str = "") -> User:
    """The record of a user from the columns that begin so."""
    values = found._mapping
    return User(
        id=values[f"{prefix}id"],
        username=values[f"{prefix}username"],
        roles=tuple(values[f"{prefix}roles"] or ()),
        active=values[f"{prefix}active"],
        email=values[f"{prefix}email"],
    )


def _bound(found: _Found) -> _Bound:
    """The bound of a key from its columns."""
    return _Bound(is_set=found.is_bound, roles=frozenset(found.bound_roles or ()))


def _asked(person: Person) -> dict[str, object]:
    """Parameters of a person; what cannot be a name is not sent, and means nobody."""
    issuer = person.issuer if is_foreign(person.issuer, most=ISSUER_BYTES) else None
    return {
        "issuer": issuer,
        "subject": person.subject if is_foreign(person.subject) else None,
        "email": None if person.email is None else email_of(person.email),
        "groups": [group for group in person.groups if is_foreign(group)],
    }


def _with_mapped(user: User, mapped: Iterable[str] | None) -> set[str]:
    """The roles of a user and those of groups; a group never gives admin."""
    # Whatever the table may come to hold.
    return (set(mapped or ()) - {ADMIN_ROLE}).union(user.roles)


def _no_account(person: Person) -> AccessDenied:
    """The error for nobody and for an inactive user, who cannot be told apart."""
    shown = person.email or person.subject
    return AccessDenied(
        f"no account here belongs to {shown!r} of {person.issuer}; "
        "an administrator must create one with this mail address, or link it"
    )
