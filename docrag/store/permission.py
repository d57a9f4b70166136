"""What an access may read, as SQL: the one place where the filter of searches is written."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Final

from sqlalchemy import BindParameter, ColumnElement, Date, Text, bindparam, cast, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docrag.api import Access, DocumentNotFound
from docrag.store.names import is_role_name
from docrag.store.tables import DocumentRow

#: The caller's role names and the day that is asked about, as parameters of a statement.
ROLES: Final = "CAST(:roles AS text[])"
DAY: Final = "CAST(:day AS date)"
#: Condition on documents ``d``: in force on that day. "<> 0" counts as nearly always true with the
#: planner, which would otherwise expect a ninth of the rows while it has no statistics.
IN_FORCE: Final = (
    f"((d.valid_from IS NULL OR d.valid_from <= {DAY})"
    f" AND (d.valid_to IS NULL OR d.valid_to >= {DAY}))::int <> 0"
)
#: Condition on documents ``d`` that searches look at: ready, in force, and the caller may read
#: them. A statement with it gets :func:`parameters` and :data:`BOUND`.
VISIBLE: Final = (
    f"d.state IN ('ready', 'ready_with_warnings') AND {IN_FORCE} AND d.allowed_roles && {ROLES}"
)
#: Types of those parameters.
BOUND: Final[tuple[BindParameter[object], ...]] = (
    bindparam("roles", type_=ARRAY(Text)),
    bindparam("day", type_=Date),
)


def parameters(access: Access) -> dict[str, object]:
    """Values of the parameters of :data:`VISIBLE`; for no roles, nothing is visible."""
    return {"roles": role_list(access), "day": access.on or today()}


def today() -> date:
    """The day that it is on this machine: sessions of the database keep to UTC, people do not."""
    return date.today()


def role_list(access: Access) -> list[str]:
    """Role names of the access, sorted; what cannot name a role is left out and opens nothing."""
    return sorted(name for name in access.roles if is_role_name(name))


def permits(access: Access) -> ColumnElement[bool]:
    """Condition on ``documents``: the access may read the row; never true for no roles."""
    roles = cast(literal(role_list(access), ARRAY(Text)), ARRAY(Text))
    return DocumentRow.allowed_roles.bool_op("&&")(roles)


def permitted_document(session: Session, document_id: str, access: Access) -> DocumentRow:
    """The row of a document that the access may read.

    :raises DocumentNotFound: it does not exist, is hidden, or the identifier is malformed: the
        three look the same.
    """
    query = select(DocumentRow).where(
        DocumentRow.public_id == public_uuid(document_id), permits(access)
    )
    row = session.scalar(query)
    if row is None:
        raise DocumentNotFound(document_id)
    return row


def public_uuid(document_id: str) -> uuid.UUID:
    """The identifier as a UUID, in its usual form with hyphens only.

    :raises DocumentNotFound: it is malformed.
    """
    try:
        parsed = uuid.UUID(document_id)
    except ValueError:
        raise DocumentNotFound(document_id) from None
    if str(parsed) != document_id.lower():
        raise DocumentNotFound(document_id)
    return parsed
