"""Groups of identity providers, and the roles that their members get."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from sqlalchemy import ColumnElement, delete, select

from docrag.api import ADMIN_ROLE, StoreError, UnknownName
from docrag.store.names import ISSUER_BYTES, check_foreign, is_foreign
from docrag.store.records import Group
from docrag.store.roles import required_roles
from docrag.store.sessions import Sessions
from docrag.store.tables import GroupRoleRow


class Groups:
    """Maps groups to roles; a group that is not mapped gives nothing."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def set(self, issuer: str, group_id: str, roles: Collection[str]) -> Group:
        """The group with these roles in place of the earlier ones.

        :param issuer: who names the group; compared as it is, as is the group.
        :param roles: roles in use, at least one, not admin.
        :raises UnknownName: a role is unknown or retired.
        :raises StoreError: no roles, the admin role, or a name that cannot be kept.
        """
        check_foreign(issuer, group_id, "group")
        if not roles:
            raise StoreError(f"no roles for group {group_id!r}; name one, or delete the group")
        if ADMIN_ROLE in roles:
            raise StoreError(f"a group cannot give {ADMIN_ROLE!r}; give it to users one by one")
        with self._sessions.begin() as session:
            names = required_roles(session, roles)
            session.execute(delete(GroupRoleRow).where(*_of(issuer, group_id)))
            session.add_all(
                GroupRoleRow(issuer=issuer, group_id=group_id, role=role) for role in names
            )
        return Group(issuer=issuer, group_id=group_id, roles=tuple(names))

    def list(self) -> list[Group]:
        """All mapped groups by issuer and group; retired roles are among theirs."""
        columns = (GroupRoleRow.issuer, GroupRoleRow.group_id, GroupRoleRow.role)
        with self._sessions.begin() as session:
            rows = session.execute(select(*columns)).all()
        ordered = sorted((row.issuer, row.group_id, row.role) for row in rows)
        return [
            Group(issuer=issuer, group_id=group_id, roles=tuple(role for _, _, role in members))
            for (issuer, group_id), members in groupby(ordered, key=lambda row: row[:2])
        ]

    def delete(self, issuer: str, group_id: str) -> None:
        """Have a group give nothing from now on.

        :raises UnknownName: it is not mapped.
        """
        if not (is_foreign(issuer, most=ISSUER_BYTES) and is_foreign(group_id)):
            raise UnknownName("group", group_id)
        query = delete(GroupRoleRow).where(*_of(issuer, group_id)).returning(GroupRoleRow.role)
        with self._sessions.begin() as session:
            if not session.scalars(query).all():
                raise UnknownName("group", group_id)


def _of(issuer: str, group_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Conditions on ``group_roles``."""
    return GroupRoleRow.issuer == issuer, GroupRoleRow.group_id == group_id
