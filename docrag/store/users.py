"""Users and their roles."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement, Select, delete, exists, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from docrag.api import ADMIN_ROLE, LastAdmin, NameTaken, StoreError, UnknownName
from docrag.store.names import (
    ISSUER_BYTES,
    check_foreign,
    checked_email,
    checked_username,
    email_of,
    is_foreign,
    is_username,
)
from docrag.store.records import User
from docrag.store.roles import required_roles
from docrag.store.sessions import Sessions
from docrag.store.tables import IdentityRow, RoleRow, UserRoleRow, UserRow


class Users:
    """Creates, lists and changes users."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(
        self,
        username: str,
        *,
        password_hash: str,
        roles: Collection[str],
        email: str | None = None,
    ) -> User:
        """A new, active user.

        :param password_hash: as the password hasher made it; never a password.
        :param roles: names of roles in use; none lets the user read nothing.
        :param email: mail address by which a front end may name the user; kept in lower case.
        :raises NameTaken: a user of this name or mail address exists.
        :raises UnknownName: a role is unknown or retired.
        :raises StoreError: the name or the address has a wrong form, or the hash is empty.
        """
        username = checked_username(username)
        email = None if email is None else checked_email(email)
        _check_hash(password_hash)
        with self._sessions.begin() as session:
            names = required_roles(session, roles)
            values = {"username": username, "password_hash": password_hash, "email": email}
            query = insert(UserRow).values(values).on_conflict_do_nothing()
            user_id = session.scalar(query.returning(UserRow.id))
            if user_id is None:
                raise _taken(session, username, email)
            session.add_all(UserRoleRow(user_id=user_id, role=role) for role in names)
            session.flush()
            return user_of(session, session.get_one(UserRow, user_id))

    def get(self, username: str) -> User:
        """The user of this name.

        :raises UnknownName: there is none.
        """
        with self._sessions.begin() as session:
            return user_of(session, user_row(session, username))

    def get_by_email(self, email: str) -> User:
        """The user with this mail address, in whatever case.

        :raises UnknownName: there is none.
        """
        # No address, no question: "= None" would find users without one.
        address = email_of(email)
        if address is None:
            raise UnknownName("mail address", email)
        with self._sessions.begin() as session:
            query = select(UserRow, role_names()).where(UserRow.email == address)
            found = session.execute(query).one_or_none()
        if found is None:
            raise UnknownName("mail address", email)
        return user_record(*found)

    def get_by_identity(self, issuer: str, subject: str) -> User:
        """The user that was linked to this identity; both names are compared as they are.

        :raises UnknownName: there is none.
        """
        with self._sessions.begin() as session:
            row = _identified(session, issuer, subject)
            if row is None:
                raise UnknownName("identity", subject)
            return user_of(session, row)

    def link(self, username: str, issuer: str, subject: str) -> None:
        """Have an identity mean a user from now on; again for the same user changes nothing.

        :param issuer: who vouches for the identity, such as an OpenID Connect issuer.
        :param subject: lasting identifier of the person there.
        :raises UnknownName: no such user.
        :raises NameTaken: the identity means another user.
        :raises StoreError: issuer or subject is empty, too long, or holds control characters.
        """
        check_foreign(issuer, subject, "subject")
        with self._sessions.begin() as session:
            user_id = user_row(session, username).id
            values = {"issuer": issuer, "subject": subject, "user_id": user_id}
            session.execute(insert(IdentityRow).values(values).on_conflict_do_nothing())
            found = _identified(session, issuer, subject)
            if found is None or found.id != user_id:
                raise NameTaken("identity", subject)

    def set_email(self, username: str, email: str | None) -> User:
        """The user with this mail address, or with none.

        :raises UnknownName: no such user.
        :raises NameTaken: another user has it.
        :raises StoreError: it is not a mail address.
        """
        email = None if email is None else checked_email(email)
        with self._sessions.begin() as session:
            row = user_row(session, username, lock=True)
            row.email = email
            try:
                session.flush()
            except IntegrityError:
                raise NameTaken("mail address", str(email)) from None
            return user_of(session, row)

    def list(self) -> list[User]:
        """All users by name, inactive ones too."""
        with self._sessions.begin() as session:
            query = select(UserRow, role_names()).order_by(UserRow.username)
            return [user_record(row, roles) for row, roles in session.execute(query)]

    def set_roles(self, username: str, roles: Collection[str]) -> User:
        """The user with these roles in place of the earlier ones, from the next call on.

        :raises UnknownName: no such user, or a role is unknown or retired.
        :raises LastAdmin: nobody active would have the role admin any more.
        """
        with self._sessions.begin() as session, _keeps_admin(session, username):
            names = required_roles(session, roles)
            row = user_row(session, username, lock=True)
            session.execute(delete(UserRoleRow).where(UserRoleRow.user_id == row.id))
            session.add_all(UserRoleRow(user_id=row.id, role=role) for role in names)
            session.flush()
            return user_of(session, row)

    def deactivate(self, username: str) -> None:
        """Lock a user out: neither password nor keys work any more.

        :raises UnknownName: no such user.
        :raises LastAdmin: nobody active would have the role admin any more.
        """
        with self._sessions.begin() as session, _keeps_admin(session, username):
            user_row(session, username, lock=True).active = False

    def activate(self, username: str) -> None:
        """Let a user in again, with the roles, password and keys of before.

        :raises UnknownName: no such user.
        """
        with self._sessions.begin() as session:
            user_row(session, username, lock=True).active = True

    def password_hash(self, username: str) -> str | None:
        """The password hash of an active user; ``None`` for others and for unknown names."""
        with self._sessions.begin() as session:
            row = _find(session, username)
            return row.password_hash if row is not None and row.active else None

    def set_password(self, username: str, password_hash: str) -> None:
        """Replace the password hash of a user.

        :raises UnknownName: no such user.
        :raises StoreError: the hash is empty.
        """
        _check_hash(password_hash)
        with self._sessions.begin() as session:
            user_row(session, username, lock=True).password_hash = password_hash


@contextmanager
def _keeps_admin(session: Session, username: str) -> Iterator[None]:
    """Let a change of this user through unless it takes away the last active administrator.

    :raises LastAdmin: it does; the transaction must not be committed.
    """
    # One such change at a time: two administrators could otherwise shut each other out.
    admin = select(RoleRow.name).where(RoleRow.name == ADMIN_ROLE)
    session.execute(admin.with_for_update(key_share=True))
    query = select(exists(_active_admins()))
    before = session.scalar(query)
    yield
    session.flush()
    if before and not session.scalar(query):
        raise LastAdmin(username)


def _active_admins() -> Select[int]:
    return (
        select(UserRow.id)
        .join(UserRoleRow, UserRoleRow.user_id == UserRow.id)
        .where(UserRow.active, UserRoleRow.role == ADMIN_ROLE)
    )


def user_row(session: Session, username: str, *, lock: bool = False) -> UserRow:
    """The row of a user, locked for a change if asked.

    :raises UnknownName: no such user; the known ones are not listed.
    """
    row = _find(session, username, lock=lock)
    if row is None:
        raise UnknownName("user", username)
    return row


def user_of(session: Session, row: UserRow) -> User:
    """The record of a row, with its roles in use as they are in the database now."""
    roles = session.scalar(select(role_names()).where(UserRow.id == row.id))
    return user_record(row, roles)


def _find(session: Session, username: str, *, lock: bool = False) -> UserRow | None:
    """The row of a user or ``None``; a text that cannot name a user is not sent."""
    if not is_username(username):
        return None
    query = select(UserRow).where(UserRow.username == username)
    return session.scalar(query.with_for_update() if lock else query)


def _identified(session: Session, issuer: str, subject: str) -> UserRow | None:
    """The row of the user whose identity it is; a text that cannot be one is not sent."""
    if not (is_foreign(issuer, most=ISSUER_BYTES) and is_foreign(subject)):
        return None
    where = (IdentityRow.issuer == issuer, IdentityRow.subject == subject)
    return session.scalar(select(UserRow).join(IdentityRow).where(*where))


def _taken(session: Session, username: str, email: str | None) -> NameTaken:
    """Which of the two names another user has."""
    if _find(session, username) is None:
        return NameTaken("mail address", str(email))
    return NameTaken("user", username)


def in_use(role: InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """True for a row whose role is not retired.

    Looked up for each row: a join makes the server read all roles for the few of one user.
    """
    query = select(RoleRow.retired_at.is_(None)).where(RoleRow.name == role)
    return query.correlate_except(RoleRow).scalar_subquery()


def role_names(user: type[UserRow] = UserRow) -> ColumnElement[list[str] | None]:
    """The sorted roles in use of a ``users`` row, ``NULL`` for none.

    :param user: the table, or an alias of it.
    """
    role = UserRoleRow.role
    return (
        select(func.array_agg(aggregate_order_by(role, role.collate("C"))))
        .where(UserRoleRow.user_id == user.id, in_use(role))
        .correlate(user)
        .scalar_subquery()
    )


def user_record(row: UserRow, roles: list[str] | None) -> User:
    """The record of a row."""
    return User(
        id=row.id,
        username=row.username,
        roles=tuple(roles or ()),
        active=row.active,
        email=row.email,
    )


def _check_hash(password_hash: str) -> None:
    """:raises StoreError: the hash is empty, which would be an account without a password."""
    if not password_hash:
        raise StoreError("the password hash is empty; hash a password first")
