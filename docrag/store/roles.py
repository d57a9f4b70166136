"""Roles, which documents allow and users have."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docrag.api import ADMIN_ROLE, NameTaken, StoreError, UnknownName
from docrag.store.names import checked_role_name, is_role_name
from docrag.store.records import Role
from docrag.store.sessions import Sessions
from docrag.store.tables import RoleRow


class Roles:
    """Creates, lists, renames and retires roles."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def create(self, name: str) -> Role:
        """A new role.

        :raises NameTaken: a role of this name exists, perhaps retired.
        :raises StoreError: the name has another form than roles have.
        """
        name = checked_role_name(name)
        with self._sessions.begin() as session:
            query = insert(RoleRow).values(name=name).on_conflict_do_nothing()
            if session.scalar(query.returning(RoleRow.name)) is None:
                raise NameTaken("role", name)
        return Role(name=name, retired=False)

    def list(self) -> list[Role]:
        """All roles by name, retired ones too."""
        with self._sessions.begin() as session:
            rows = session.scalars(select(RoleRow).order_by(RoleRow.name))
            return [Role(name=row.name, retired=row.retired_at is not None) for row in rows]

    def rename(self, old: str, new: str) -> Role:
        """The role under its new name, with all its users and documents.

        :raises UnknownName: there is no role ``old``.
        :raises NameTaken: there is a role ``new``.
        :raises StoreError: the new name has a wrong form, or ``old`` is the admin role.
        """
        new = checked_role_name(new)
        with self._sessions.begin() as session:
            row = _changeable(session, old)
            row.name = new
            try:
                session.flush()
            except IntegrityError as exc:
                raise NameTaken("role", new) from exc
            return Role(name=new, retired=row.retired_at is not None)

    def retire(self, name: str) -> None:
        """Take a role out of use: it opens nothing any more, and nobody can be given it.

        :raises UnknownName: there is no such role.
        :raises StoreError: it is the admin role.
        """
        with self._sessions.begin() as session:
            _changeable(session, name)
            still = (RoleRow.name == name, RoleRow.retired_at.is_(None))
            session.execute(update(RoleRow).where(*still).values(retired_at=func.now()))


def required_roles(session: Session, names: Collection[str]) -> list[str]:
    """The names, sorted, all of roles in use, which stay so until the transaction ends.

    :raises UnknownName: one is unknown or retired; the error lists the roles in use.
    """
    in_use = select(RoleRow.name).where(RoleRow.retired_at.is_(None)).order_by(RoleRow.name)
    asked = RoleRow.name.in_([name for name in names if is_role_name(name)])
    found = set(session.scalars(in_use.where(asked).with_for_update(read=True)))
    for name in sorted(names):
        if name not in found:
            raise UnknownName("role", name, list(session.scalars(in_use)))
    return sorted(found)


def _changeable(session: Session, name: str) -> RoleRow:
    """The row of a role that may be renamed or retired, locked.

    :raises UnknownName: there is no such role.
    :raises StoreError: it is the admin role.
    """
    if name == ADMIN_ROLE:
        raise StoreError(f"the role {ADMIN_ROLE!r} can be neither renamed nor retired")
    known = list(session.scalars(select(RoleRow.name).order_by(RoleRow.name)))
    if name not in known:
        raise UnknownName("role", name, known)
    return session.get_one(RoleRow, name, with_for_update=True)
