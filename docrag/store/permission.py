"""What an access may read, as SQL: the one place where the role filter is written."""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, Text, cast, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docrag.api import Access, DocumentNotFound
from docrag.store.names import is_role_name
from docrag.store.tables import DocumentRow

#: The caller's role names as a parameter of a statement, and the condition on documents ``d`` that
#: they are ready and the caller may read them.
ROLES = "CAST(:roles AS text[])"
VISIBLE = f"d.state IN ('ready', 'ready_with_warnings') AND d.allowed_roles && {ROLES}"


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
