"""Whose turn it is to clean up, and the words that nobody uses any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import delete, func, select

from docrag.store.contents import TERMS_LOCK
from docrag.store.sessions import Sessions
from docrag.store.tables import PostingRow, TermRow

#: Two-part key of the advisory lock; jobs and the throttle lock by one number each.
_LOCK: Final = (0x646F6372, 1)


class Housekeeping:
    """Lets one process at a time clean up."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """True inside the block if it is ours alone to clean up; false if another process does.

        The lock belongs to a transaction, so that a process that dies gives it back.
        """
        with self._sessions.begin() as session:
            yield bool(session.scalar(select(func.pg_try_advisory_xact_lock(*_LOCK))))

    def sweep_terms(self) -> int:
        """Remove the words that stand in no document any more.

        :returns: how many; 0 as well while a document is being written, which may use them.
        """
        used = select(PostingRow.term_id).where(PostingRow.term_id == TermRow.id).exists()
        with self._sessions.begin() as session:
            # A statement of its own: the next one must see what those wrote who had the lock.
            if not session.scalar(select(func.pg_try_advisory_xact_lock(*TERMS_LOCK))):
                return 0
            removed = delete(TermRow).where(~used).returning(TermRow.id)
            return len(session.scalars(removed).all())
