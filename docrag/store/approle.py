"""The database role that reads for callers: row-level security holds for it, not for the owner.

Nobody signs in as this role. A transaction that reads for a caller becomes it and says which roles
the caller has; policies of migration 0005 then hide everything else, also from a statement whose
own filter is wrong. Without those roles, nothing is seen.
"""

from __future__ import annotations

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from docrag.api import Access, StoreError
from docrag.store.permission import role_list

#: Name of the role; one for all databases of a server.
APP_ROLE = "docrag_app"
#: Session variable with the caller's role names, separated by commas, which no name can hold.
ROLES_VARIABLE = "docrag.roles"

_BECOME = text(
    "SELECT set_config('role', :role, true), set_config(:variable, :roles, true)"
).bindparams(role=APP_ROLE, variable=ROLES_VARIABLE)

_CREATE = """
    DO $$ BEGIN
        CREATE ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;  -- another database of this server was migrated at the same time
    END $$
"""
_STATE = text(
    """
    SELECT r.rolsuper OR r.rolbypassrls AS is_unsafe,
        pg_has_role(session_user, r.oid, CASE
            WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER'
            ELSE 'SET' END) AS is_member
    FROM pg_roles r WHERE r.rolname = :role
    """
)
_MAY_CREATE = text("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
_MAY_GRANT = text(
    """
    SELECT pg_has_role(:role, 'MEMBER WITH ADMIN OPTION')
        OR (current_setting('server_version_num')::int < 160000 AND rolcreaterole)
    FROM pg_roles WHERE rolname = current_user
    """
)


def restrict(session: Session, access: Access) -> None:
    """Have the session's transaction see only what the access may read, until it ends."""
    session.execute(_BECOME, {"roles": ",".join(role_list(access))})


def widen(session: Session) -> None:
    """Let a restricted transaction write again; only after it has checked that it may."""
    session.execute(text("RESET ROLE"))


def ensure_app_role(connection: Connection, role: str = APP_ROLE) -> None:
    """Make the role if it is missing, and let this login become it.

    :param role: another name than usual, for tests.
    :raises StoreError: this login may do neither, or the role would see everything; the message
        says what an administrator of the server has to run.
    """
    login = connection.scalar(text("SELECT session_user"))
    advice = f'CREATE ROLE {role} NOLOGIN; GRANT {role} TO "{login}";'
    state = connection.execute(_STATE, {"role": role}).one_or_none()
    if state is None:
        if not connection.scalar(_MAY_CREATE):
            raise StoreError(f"this login cannot create roles; let an administrator run: {advice}")
        connection.execute(text(_CREATE.format(role=role)))
        state = connection.execute(_STATE, {"role": role}).one()
    if state.is_unsafe:
        raise StoreError(f"the role {role} sees everything; run: ALTER ROLE {role} NOBYPASSRLS")
    if state.is_member:
        return
    if not connection.scalar(_MAY_GRANT, {"role": role}):
        raise StoreError(f'this login cannot become {role}; run: GRANT {role} TO "{login}";')
    connection.execute(text(f"GRANT {role} TO SESSION_USER"))
