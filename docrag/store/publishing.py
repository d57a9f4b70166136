"""Publishing into the space that is searched; a switch of spaces has its turn alone."""

from __future__ import annotations

from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from docrag.api import StoreError
from docrag.store.tables import SpaceRow

#: Two-part key of the advisory lock; other second parts lock other things: 1 and 2 in this
#: package, 3 in the triggers of migration 0009, which count words.
_LOCK: Final = (0x646F6372, 4)
#: With the document's own moment where it has one already, else with that of this transaction.
_HOLD = text(
    """
    INSERT INTO space_documents (space_id, document_id, ready_at, warnings)
    SELECT :space, d.id, coalesce(CAST(:ready_at AS timestamptz), d.ready_at),
        CAST(:warnings AS jsonb)
    FROM documents d WHERE d.id = :document
    ON CONFLICT (space_id, document_id) DO UPDATE SET
        ready_at = excluded.ready_at, warnings = excluded.warnings, filled_at = clock_timestamp()
    """
)


class SpaceChanged(StoreError):
    """Another space is searched by now than the one that vectors were made for: make them anew."""

    def __init__(self) -> None:
        super().__init__("the embedding space was switched meanwhile; try again")


def publish(session: Session, space_id: int | None) -> None:
    """Keep spaces from being switched until this transaction ends; before any row is locked.

    :param space_id: the space whose vectors will be written; ``None`` for words only.
    :raises SpaceChanged: it is not the one that is searched any more.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(*_LOCK)))
    if space_id is None:
        return
    # A statement of its own: it sees what a switch wrote that had the lock until now.
    state = session.scalar(select(SpaceRow.state).where(SpaceRow.id == space_id))
    if state != "active":
        raise SpaceChanged


def switch_alone(session: Session) -> None:
    """Wait until nobody publishes, and let nobody begin to until this transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock(*_LOCK)))


def hold(session: Session, space_id: int, document: int, *, new: bool) -> None:
    """Note that a space holds a document whole.

    :param document: internal id.
    :param new: the document becomes ready in this transaction.
    """
    now = session.scalar(select(func.now())) if new else None
    values = {"space": space_id, "document": document, "ready_at": now, "warnings": "[]"}
    session.execute(_HOLD, values)
