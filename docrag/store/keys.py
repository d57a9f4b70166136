"""API keys, of which only the SHA-256 is stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from docrag.api import NameTaken, StoreError, UnknownName
from docrag.store.principals import (
    Person,
    by_frontend,
    by_key,
    by_key_and_person,
    by_name,
    by_person,
)
from docrag.store.records import ApiKey, Principal
from docrag.store.roles import required_roles
from docrag.store.sessions import Sessions
from docrag.store.tables import ApiKeyRow, KeyRoleRow, UserRow
from docrag.store.users import user_row

#: Kinds of keys, and the ways in which a front end proves whom it speaks for.
KINDS = ("user", "frontend", "service")
METHODS = ("jwt", "oidc", "headers")
#: How the answers of a key show their sources, see :class:`docrag.store.records.Principal`.
CITATIONS = ("auto", "footer", "events")


class Keys:
    """Creates, checks, lists and revokes API keys; tells what a caller may read."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(
        self,
        *,
        username: str,
        name: str,
        key_hash: bytes,
        prefix: str,
        expires_at: datetime | None = None,
        kind: str = "user",
        method: str | None = None,
        roles: Collection[str] = (),
        citations: str = "auto",
    ) -> ApiKey:
        """A new key of a user.

        :param username: its owner, in whose name the audit has what a service asks.
        :param name: what the key is for, in words.
        :param key_hash: SHA-256 of the key, 32 bytes.
        :param prefix: first characters of the key, to tell keys apart.
        :param expires_at: moment with a time zone from which the key is refused; never by default.
        :param kind: one of :data:`KINDS`.
        :param method: for a front end and only for it, one of :data:`METHODS`.
        :param roles: for a user's key the only roles of the user that it opens, for a service
            its fixed roles, for a front end the most that any user gets through it; none for no
            narrowing, refused for a service.
        :param citations: one of :data:`CITATIONS`.
        :raises UnknownName: no such user, or a role is unknown or retired.
        :raises NameTaken: the key exists already.
        :raises StoreError: the name is empty, the hash has another length, citations are unknown,
            or kind, method and roles do not go together.
        """
        _check(kind, method, roles, citations)
        with self._sessions.begin() as session:
            names = required_roles(session, roles)
            query = insert(ApiKeyRow).values(
                user_id=user_row(session, username).id,
                name=name,
                key_hash=key_hash,
                prefix=prefix,
                expires_at=expires_at,
                kind=kind,
                method=method,
                citations=citations,
            )
            key_id = session.scalar(query.on_conflict_do_nothing().returning(ApiKeyRow.id))
            if key_id is None:
                raise NameTaken("key", prefix)
            session.add_all(KeyRoleRow(key_id=key_id, role=role) for role in names)
            session.flush()
            return _key(session.get_one(ApiKeyRow, key_id), username, names)

    def principal(self, key_hash: bytes) -> Principal | None:
        """Who calls with this key, with the roles that they have at this moment.

        A user's key opens the user's roles, narrowed to those of the key if it has any; a
        service's key its fixed roles, with the owner as the user; a front end's key nothing: it
        has to name a user first, see :meth:`acting`.

        :param key_hash: SHA-256 of the key, 32 bytes.
        :returns: ``None`` for a key that is unknown, revoked or expired, or whose user is inactive.
        """
        with self._sessions.single() as connection:
            return by_key(connection, key_hash)

    def speaking(
        self, key_hash: bytes, person: Person
    ) -> tuple[Principal, Principal | None] | None:
        """What :meth:`principal` and :meth:`acting` tell together, in one statement.

        :returns: the caller with the key, and the user whom the person is; ``None`` for the key as
            in :meth:`principal`, for the person if the key is none of a front end, or where
            :meth:`acting` tells why not.
        """
        with self._sessions.single() as connection:
            return by_key_and_person(connection, key_hash, person)

    def acting(self, principal: Principal, person: Person) -> Principal:
        """The user whom a front end names, with the roles that they have at this moment.

        That is the user linked to the identity, or else the one with the mail address. The roles
        are the user's own and the mapped ones of the groups, within the roles of the key if it has
        any. Admin comes from the user's own roles only. One statement tells all of it.

        :param principal: the caller with the front end's key, as :meth:`principal` gave it.
        :raises AccessDenied: the key is not a valid one of a front end, or the person is nobody
            here or inactive.
        """
        with self._sessions.single() as connection:
            return by_frontend(connection, principal, person)

    def vouched(self, person: Person) -> Principal:
        """The user for whom an issuer vouches, without a key; otherwise like :meth:`acting`.

        :returns: of kind ``token``.
        :raises AccessDenied: the person is nobody here or inactive.
        """
        with self._sessions.single() as connection:
            return by_person(connection, person)

    def as_user(self, username: str) -> Principal | None:
        """The caller who is signed in under this name, with the roles of this moment.

        :returns: of kind ``session``; ``None`` for a name that is unknown or inactive.
        """
        with self._sessions.single() as connection:
            return by_name(connection, username)

    def list(self, username: str | None = None) -> list[ApiKey]:
        """Keys that are not revoked, oldest first; expired ones are among them.

        :param username: only keys of this user; an unknown name has none.
        """
        roles = (
            select(
                func.array_agg(aggregate_order_by(KeyRoleRow.role, KeyRoleRow.role.collate("C")))
            )
            .where(KeyRoleRow.key_id == ApiKeyRow.id)
            .correlate(ApiKeyRow)
            .scalar_subquery()
        )
        query = (
            select(ApiKeyRow, UserRow.username, roles)
            .join(UserRow, UserRow.id == ApiKeyRow.user_id)
            .where(ApiKeyRow.revoked_at.is_(None))
            .order_by(ApiKeyRow.id)
        )
        with self._sessions.begin() as session:
            rows = session.execute(query).all()
        return [_key(*row) for row in rows if username in {None, row.username}]

    def set_citations(self, key_id: int, citations: str) -> None:
        """Show the sources of a key's answers in another way, from the next question on.

        :param citations: one of :data:`CITATIONS`.
        :raises UnknownName: no such key, or it is revoked.
        :raises StoreError: there is no such showing.
        """
        _check_citations(citations)
        live = (ApiKeyRow.id == key_id, ApiKeyRow.revoked_at.is_(None))
        query = update(ApiKeyRow).where(*live).values(citations=citations)
        with self._sessions.begin() as session:
            if session.scalar(query.returning(ApiKeyRow.id)) is None:
                raise UnknownName("key", str(key_id))

    def revoke(self, key_id: int) -> None:
        """Refuse a key from now on; a revoked one stays so.

        :raises UnknownName: no such key.
        """
        revoked = func.coalesce(ApiKeyRow.revoked_at, func.now())
        query = update(ApiKeyRow).where(ApiKeyRow.id == key_id).values(revoked_at=revoked)
        with self._sessions.begin() as session:
            if session.scalar(query.returning(ApiKeyRow.id)) is None:
                raise UnknownName("key", str(key_id))


def _check(kind: str, method: str | None, roles: Collection[str], citations: str) -> None:
    """Refuse a key that contradicts itself.

    :raises StoreError: unknown kind, method or citations, or kind, method and roles do not go
        together.
    """
    _check_citations(citations)
    if kind not in KINDS:
        raise StoreError(f"no kind of key {kind!r}; there are {', '.join(KINDS)}")
    if kind == "frontend" and method not in METHODS:
        raise StoreError(f"a front end's key needs a method: {', '.join(METHODS)}, not {method!r}")
    if kind != "frontend" and method is not None:
        raise StoreError(f"a key of kind {kind!r} has no method; leave {method!r} out")
    if kind == "service" and not roles:
        raise StoreError("a service's key needs at least one role; it has none of its owner's")


def _check_citations(citations: str) -> None:
    """:raises StoreError: there is no such showing of citations."""
    if citations not in CITATIONS:
        raise StoreError(f"no citations {citations!r}; there are {', '.join(CITATIONS)}")


def _key(row: ApiKeyRow, username: str, roles: Sequence[str] | None) -> ApiKey:
    """The record of a row."""
    return ApiKey(
        id=row.id,
        username=username,
        name=row.name,
        prefix=row.prefix,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        kind=row.kind,
        method=row.method,
        roles=tuple(roles or ()),
        citations=row.citations,
    )
