"""Users and their roles."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert
from sqlalchemy.orm import Session

from docrag.api import NameTaken, StoreError, UnknownName
from docrag.store.names import checked_username, is_username
from docrag.store.records import User
from docrag.store.roles import required_roles
from docrag.store.sessions import Sessions
from docrag.store.tables import RoleRow, UserRoleRow, UserRow


class Users:
    """Creates, lists and changes users."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(self, username: str, *, password_hash: str, roles: Collection[str]) -> User:
        """A new, active user.

        :param password_hash: as the password hasher made it; never a password.
        :param roles: names of roles in use; none lets the user read nothing.
        :raises NameTaken: a user of this name exists.
        :raises UnknownName: a role is unknown or retired.
        :raises StoreError: the name has another form than user names have, or the hash is empty.
        """
        username = checked_username(username)
        _check_hash(password_hash)
        with self._sessions.begin() as session:
            names = required_roles(session, roles)
            query = insert(UserRow).values(username=username, password_hash=password_hash)
            user_id = session.scalar(query.on_conflict_do_nothing().returning(UserRow.id))
            if user_id is None:
                raise NameTaken("user", username)
            session.add_all(UserRoleRow(user_id=user_id, role=role) for role in names)
            session.flush()
            return user_of(session, session.get_one(UserRow, user_id))

    def get(self, username: str) -> User:
        """The user of this name.

        :raises UnknownName: there is none.
        """
        with self._sessions.begin() as session:
            return user_of(session, user_row(session, username))

    def list(self) -> list[User]:
        """All users by name, inactive ones too."""
        with self._sessions.begin() as session:
            query = select(UserRow, _role_names()).order_by(UserRow.username)
            return [_user(row, roles) for row, roles in session.execute(query)]

    def set_roles(self, username: str, roles: Collection[str]) -> User:
        """The user with these roles in place of the earlier ones, from the next call on.

        :raises UnknownName: no such user, or a role is unknown or retired.
        """
        with self._sessions.begin() as session:
            names = required_roles(session, roles)
            row = user_row(session, username, lock=True)
            session.execute(delete(UserRoleRow).where(UserRoleRow.user_id == row.id))
            session.add_all(UserRoleRow(user_id=row.id, role=role) for role in names)
            session.flush()
            return user_of(session, row)

    def deactivate(self, username: str) -> None:
        """Lock a user out: neither password nor keys work any more.

        :raises UnknownName: no such user.
        """
        with self._sessions.begin() as session:
            user_row(session, username, lock=True).active = False

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
    roles = session.scalar(select(_role_names()).where(UserRow.id == row.id))
    return _user(row, roles)


def _find(session: Session, username: str, *, lock: bool = False) -> UserRow | None:
    """The row of a user or ``None``; a text that cannot name a user is not sent."""
    if not is_username(username):
        return None
    query = select(UserRow).where(UserRow.username == username)
    return session.scalar(query.with_for_update() if lock else query)


def _role_names() -> ColumnElement[list[str] | None]:
    """The sorted roles in use of a ``users`` row, ``NULL`` for none."""
    return (
        select(func.array_agg(aggregate_order_by(RoleRow.name, RoleRow.name.collate("C"))))
        .join(UserRoleRow, UserRoleRow.role == RoleRow.name)
        .where(UserRoleRow.user_id == UserRow.id, RoleRow.retired_at.is_(None))
        .correlate(UserRow)
        .scalar_subquery()
    )


def _user(row: UserRow, roles: list[str] | None) -> User:
    """The record of a row."""
    return User(id=row.id, username=row.username, roles=tuple(roles or ()), active=row.active)


def _check_hash(password_hash: str) -> None:
    """:raises StoreError: the hash is empty, which would be an account without a password."""
    if not password_hash:
        raise StoreError("the password hash is empty; hash a password first")
