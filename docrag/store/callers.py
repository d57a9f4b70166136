"""The statements that tell who calls and what roles they have.

Each is built once: every request needs one, and building takes longer than running. They select
single columns, since an object of a whole row takes longer to make.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    Text,
    Update,
    and_,
    any_,
    bindparam,
    case,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import aliased

from docrag.store.tables import ApiKeyRow, GroupRoleRow, IdentityRow, KeyRoleRow, UserRow
from docrag.store.users import in_use, role_names

#: ``last_used_at`` is written at most this often, so that a request usually only reads.
USED_RESOLUTION: Final = timedelta(minutes=1)
#: What stands before the names of the columns of a person beside a key.
PERSON: Final = "person_"

_Users: TypeAlias = type[UserRow]
_Query: TypeAlias = Select[*tuple[Any, ...]]


@cache
def by_key() -> _Query:
    """A valid key by ``key_hash``, its user with roles, and whether to note its use (``is_stale``).

    The key's columns are ``key_id``, ``key_name``, ``citations``, ``kind``, ``method``, and its
    bound: whether it has roles at all (``is_bound``), and those in use (``bound_roles``).
    """
    columns = (ApiKeyRow.kind, ApiKeyRow.method, _is_stale().label("is_stale"))
    return (
        select(*_user(UserRow), *_key(), *columns)
        .join(ApiKeyRow, UserRow.id == ApiKeyRow.user_id)
        .where(ApiKeyRow.key_hash == bindparam("key_hash"), UserRow.active, *_valid())
    )


@cache
def by_key_and_person() -> Executable:
    """The same, and for a front end's key the active user whom a person is.

    Those columns begin with :data:`PERSON`, and are ``NULL`` for nobody and for another key.
    """
    person = aliased(UserRow, name="person")
    named = and_(ApiKeyRow.kind == "frontend", person.id == _meant(), person.active)
    # Groups are looked up where they count only.
    mapped = case((person.id.is_not(None), _mapped())).label("mapped")
    return by_key().add_columns(*_user(person, PERSON), mapped).outerjoin(person, named)


@cache
def by_person() -> _Query:
    """The active user whom a person is, with roles and those that the groups give (``mapped``)."""
    columns = (*_user(UserRow), _mapped().label("mapped"))
    return select(*columns).where(UserRow.id == _meant(), UserRow.active)


@cache
def by_person_and_frontend() -> Executable:
    """The same, with a valid key of a front end by ``key_id``; without one, ``NULL``."""
    owner = aliased(UserRow)
    active = exists().where(owner.id == ApiKeyRow.user_id, owner.active)
    key = (ApiKeyRow.id == bindparam("key_id"), ApiKeyRow.kind == "frontend", active, *_valid())
    return by_person().add_columns(*_key()).outerjoin(ApiKeyRow, and_(*key))


@cache
def by_name() -> Executable:
    """An active user by ``username``, with roles."""
    where = UserRow.username == bindparam("username")
    return select(*_user(UserRow)).where(where, UserRow.active)


@cache
def note_use() -> Update:
    """Write down that a key of ``key_id`` was used, unless another request just did."""
    # Asked again, since several requests may have seen it stale at once.
    where = (ApiKeyRow.id == bindparam("key_id"), _is_stale())
    return update(ApiKeyRow).where(*where).values(last_used_at=func.now())


def _user(user: _Users, prefix: str = "") -> tuple[ColumnElement[Any], ...]:
    """What the record of a user needs, with ``roles``."""
    return (
        user.id.label(f"{prefix}id"),
        user.username.label(f"{prefix}username"),
        user.active.label(f"{prefix}active"),
        user.email.label(f"{prefix}email"),
        role_names(user).label(f"{prefix}roles"),
    )


def _key() -> tuple[ColumnElement[Any], ...]:
    """A key with its bound, which is one also when all of its roles were retired."""
    roles = select(func.array_agg(KeyRoleRow.role)).where(
        KeyRoleRow.key_id == ApiKeyRow.id, in_use(KeyRoleRow.role)
    )
    is_bound = exists().where(KeyRoleRow.key_id == ApiKeyRow.id).correlate(ApiKeyRow)
    return (
        ApiKeyRow.id.label("key_id"),
        ApiKeyRow.name.label("key_name"),
        ApiKeyRow.citations.label("citations"),
        is_bound.label("is_bound"),
        roles.correlate(ApiKeyRow).scalar_subquery().label("bound_roles"),
    )


def _meant() -> ColumnElement[int | None]:
    """The id of the user who is linked to ``issuer`` and ``subject``, or else has the ``email``.

    A link goes before a mail address also if its user is inactive. ``NULL`` finds nothing.
    """
    linked = select(IdentityRow.user_id).where(
        IdentityRow.issuer == bindparam("issuer"), IdentityRow.subject == bindparam("subject")
    )
    addressed = aliased(UserRow)
    by_address = select(addressed.id).where(addressed.email == bindparam("email"))
    return func.coalesce(linked.scalar_subquery(), by_address.scalar_subquery())


def _mapped() -> ColumnElement[list[str] | None]:
    """The roles in use that the ``groups`` of ``issuer`` give."""
    query = select(func.array_agg(GroupRoleRow.role)).where(
        GroupRoleRow.issuer == bindparam("issuer"),
        GroupRoleRow.group_id == any_(bindparam("groups", type_=ARRAY(Text))),
        in_use(GroupRoleRow.role),
    )
    return query.scalar_subquery()


def _valid() -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Conditions on a key: neither revoked nor expired."""
    return (
        ApiKeyRow.revoked_at.is_(None),
        func.coalesce(ApiKeyRow.expires_at > func.now(), True),
    )


def _is_stale() -> ColumnElement[bool]:
    """True for a key whose last use is to be noted."""
    return func.coalesce(ApiKeyRow.last_used_at < func.now() - USED_RESOLUTION, True)
