"""Who calls and what that opens, worked out anew from the database for each request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Literal

from sqlalchemy import ColumnElement, Executable, bindparam, exists, func, select, update
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import InstrumentedAttribute, Session

from docrag.api import ADMIN_ROLE, Access, AccessDenied
from docrag.store.names import ISSUER_BYTES, is_foreign, is_username
from docrag.store.records import Principal, User
from docrag.store.tables import ApiKeyRow, GroupRoleRow, KeyRoleRow, RoleRow, UserRow
from docrag.store.users import role_names, user_record

#: ``last_used_at`` is written at most this often, so that a request usually only reads.
USED_RESOLUTION = timedelta(minutes=1)


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


def by_key(session: Session, key_hash: bytes) -> Principal | None:
    """Who calls with a key, see :meth:`docrag.store.keys.Keys.principal`."""
    found = session.execute(_key_query(), {"key_hash": key_hash}).one_or_none()
    if found is None:
        return None
    key, row, roles, is_bound, bound_roles, is_stale = found
    if is_stale:
        _note_use(session, key.id)
    user = user_record(row, roles)
    bound = _Bound(is_set=is_bound, roles=frozenset(bound_roles or ()))
    access = {
        "user": bound.within(user.roles),
        "service": Access.of(bound.roles),
        "frontend": Access.of([]),
    }
    return Principal(
        user=user, key_id=key.id, access=access[key.kind], kind=key.kind, method=key.method
    )


def by_name(session: Session, username: str) -> Principal | None:
    """A user without a key, see :meth:`docrag.store.keys.Keys.as_user`."""
    if not is_username(username):
        return None
    found = session.execute(_user_query("username"), {"username": username}).one_or_none()
    if found is None:
        return None
    user = user_record(*found)
    return Principal(user=user, key_id=None, access=Access.of(user.roles), kind="session")


def by_frontend(
    session: Session, principal: Principal, named: User, groups: Sequence[str], issuer: str
) -> Principal:
    """A user whom a front end names, see :meth:`docrag.store.keys.Keys.acting`."""
    key = session.execute(_frontend_query(), {"key_id": principal.key_id}).one_or_none()
    if key is None:
        raise AccessDenied("this key may not speak for a user; use a key of kind 'frontend'")
    found = session.execute(_user_query("id"), {"id": named.id}).one_or_none()
    if found is None:
        raise AccessDenied(f"the user {named.username!r} is not active here; ask an administrator")
    user = user_record(*found)
    # A group never gives admin, whatever the table may come to hold.
    mapped = _mapped(session, groups, issuer) - {ADMIN_ROLE}
    name, is_bound, bound_roles = key
    bound = _Bound(is_set=is_bound, roles=frozenset(bound_roles or ()))
    return Principal(
        user=user,
        key_id=principal.key_id,
        access=bound.within(mapped.union(user.roles)),
        kind="frontend",
        frontend=name,
        method=principal.method,
    )


# The statements are built once: each request needs one, and building takes longer than running.


@cache
def _key_query() -> Executable:
    """A valid key by its hash, its user with roles, its own roles, and whether to note its use."""
    stale = func.coalesce(ApiKeyRow.last_used_at < func.now() - USED_RESOLUTION, True)
    return (
        select(ApiKeyRow, UserRow, role_names(), _is_bound(), _bound_roles(), stale)
        .join(UserRow, UserRow.id == ApiKeyRow.user_id)
        .where(ApiKeyRow.key_hash == bindparam("key_hash"), *_valid())
    )


@cache
def _frontend_query() -> Executable:
    """A valid key of a front end by its id, with its bound."""
    return (
        select(ApiKeyRow.name, _is_bound(), _bound_roles())
        .join(UserRow, UserRow.id == ApiKeyRow.user_id)
        .where(ApiKeyRow.id == bindparam("key_id"), ApiKeyRow.kind == "frontend", *_valid())
    )


@cache
def _user_query(column: Literal["id", "username"]) -> Executable:
    """An active user by this column, with roles."""
    where = getattr(UserRow, column) == bindparam(column)
    return select(UserRow, role_names()).where(where, UserRow.active)


def _valid() -> tuple[ColumnElement[bool], ColumnElement[bool], InstrumentedAttribute[bool]]:
    """Conditions on a key and its user: neither revoked nor expired, and active."""
    return (
        ApiKeyRow.revoked_at.is_(None),
        func.coalesce(ApiKeyRow.expires_at > func.now(), True),
        UserRow.active,
    )


def _is_bound() -> ColumnElement[bool]:
    """True for an ``api_keys`` row with roles, be they in use or retired."""
    return exists().where(KeyRoleRow.key_id == ApiKeyRow.id).correlate(ApiKeyRow)


def _bound_roles() -> ColumnElement[list[str] | None]:
    """The sorted roles in use of an ``api_keys`` row, ``NULL`` for none."""
    return (
        select(func.array_agg(aggregate_order_by(RoleRow.name, RoleRow.name.collate("C"))))
        .join(KeyRoleRow, KeyRoleRow.role == RoleRow.name)
        .where(KeyRoleRow.key_id == ApiKeyRow.id, RoleRow.retired_at.is_(None))
        .correlate(ApiKeyRow)
        .scalar_subquery()
    )


def _mapped(session: Session, groups: Sequence[str], issuer: str) -> set[str]:
    """Roles in use that the groups of an issuer give."""
    known = [group for group in groups if is_foreign(group)]
    if not known or not is_foreign(issuer, most=ISSUER_BYTES):
        return set()
    query = (
        select(GroupRoleRow.role)
        .join(RoleRow, RoleRow.name == GroupRoleRow.role)
        .where(
            GroupRoleRow.issuer == issuer,
            GroupRoleRow.group_id.in_(known),
            RoleRow.retired_at.is_(None),
        )
    )
    return set(session.scalars(query))


def _note_use(session: Session, key_id: int) -> None:
    """Write down that the key was used, unless another request just did."""
    # Asked again, since several requests may have seen it stale at once.
    stale = func.coalesce(ApiKeyRow.last_used_at < func.now() - USED_RESOLUTION, True)
    query = update(ApiKeyRow).where(ApiKeyRow.id == key_id, stale).values(last_used_at=func.now())
    session.execute(query.execution_options(synchronize_session=False))
