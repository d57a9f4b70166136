"""Feedback on answers: given by those who got them, read by administrators."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, cast

from sqlalchemy import (
    BigInteger,
    CursorResult,
    Row,
    Text,
    func,
    literal,
    or_,
    select,
    text,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from docrag.api import ADMIN_ROLE, Access, UnknownName
from docrag.store.answers import audited
from docrag.store.ratings import CitedPlace, Feedback, FeedbackEntry, Rating, Reason
from docrag.store.sessions import Sessions
from docrag.store.tables import AnswerRow, ChunkRow, DocumentRow, FeedbackRow, UserRow

#: Session variable with the id of the caller, for the policy of migration 0011.
_USER: Final = text("SELECT set_config('docrag.user', :user, true)")
#: What a later opinion replaces of an earlier one.
_SAID: Final = ("created_at", "rating", "reason", "comment", "question")


class Feedbacks:
    """Keeps one opinion a person and answer; the text of an answer is not kept."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def give(
        self, answer_id: str, feedback: Feedback, *, user_id: int, every: bool = False
    ) -> None:
        """Keep what a user says of an answer, in place of what the user said of it before.

        :param user_id: who says it; the answer must have been given to this user.
        :param every: of everybody's answers, for administrators.
        :raises UnknownName: there is no such answer, or it was given to somebody else.
        :raises StoreError: a text is too long, or an upward thumb has a reason.
        """
        try:
            number = uuid.UUID(answer_id)
        except ValueError:
            raise UnknownName("answer", answer_id) from None
        # As the role that can neither read nor change what others said, whatever stands below.
        with self._sessions.begin(access=Access.of([ADMIN_ROLE] if every else [])) as session:
            session.execute(_USER, {"user": str(user_id)})
            if not _given(session, number, feedback, user_id=user_id, every=every):
                raise UnknownName("answer", answer_id)

    def list(
        self, *, limit: int, before: int | None = None, rating: Rating | None = None
    ) -> list[FeedbackEntry]:
        """Feedback, newest first, for administrators: no access is asked for here.

        :param limit: at most so many, 1 or more.
        :param before: only what is older than this one, for the next part of a long list.
        :param rating: only these.
        :raises UnknownName: there is no feedback ``before``.
        :raises ValueError: ``limit`` is less than 1.
        """
        if limit < 1:
            raise ValueError(f"limit is {limit}; it must be 1 or more")
        place = tuple_(FeedbackRow.created_at, FeedbackRow.id)
        query = (
            select(FeedbackRow, AnswerRow, UserRow.username)
            .join(AnswerRow, AnswerRow.id == FeedbackRow.answer_id)
            .outerjoin(UserRow, UserRow.id == FeedbackRow.user_id)
            .order_by(FeedbackRow.created_at.desc(), FeedbackRow.id.desc())
            .limit(limit)
        )
        if rating is not None:
            query = query.where(FeedbackRow.rating == rating)
        with self._sessions.begin() as session:
            if before is not None:
                last = session.get(FeedbackRow, before)
                if last is None:
                    raise UnknownName("feedback", str(before))
                query = query.where(place < tuple_(literal(last.created_at), literal(last.id)))
            return [_entry(row) for row in session.execute(query)]

    def places(self, chunk_ids: Collection[int]) -> dict[int, CitedPlace]:
        """Where chunks stand, for administrators; those that are gone are missing."""
        query = (
            select(ChunkRow.id, ChunkRow.page_first, DocumentRow.public_id, DocumentRow.filename)
            .join(DocumentRow, DocumentRow.id == ChunkRow.document_id)
            .where(ChunkRow.id == func.any(literal(sorted(chunk_ids))))
        )
        with self._sessions.begin() as session:
            return {
                id: CitedPlace(document_id=str(public_id), filename=filename, page=page)
                for id, page, public_id, filename in session.execute(query)
            }

    def erase_words(self, older_than: datetime) -> int:
        """Forget questions and comments of old feedback, for the job that keeps the retention.

        :param older_than: moment with a time zone; of what came before it.
        :returns: of how many opinions; rating and reason stay as long as the answer's row does.
        """
        worded = or_(FeedbackRow.question.is_not(None), FeedbackRow.comment.is_not(None))
        query = (
            update(FeedbackRow)
            .where(FeedbackRow.created_at < older_than, worded)
            .values(question=None, comment=None)
        )
        with self._sessions.begin() as session:
            done = session.execute(query, execution_options={"synchronize_session": False})
            return int(cast("CursorResult[Any]", done).rowcount)


def _given(
    session: Session, answer_id: uuid.UUID, feedback: Feedback, *, user_id: int, every: bool
) -> bool:
    """Write one opinion, in one statement; false if there is no such answer of the user."""
    own = true() if every else AnswerRow.user_id == user_id
    said = {
        "created_at": func.now(),
        "rating": literal(str(feedback.rating), Text),
        "reason": literal(feedback.reason and str(feedback.reason), Text),
        "comment": literal(feedback.comment, Text),
        "question": literal(feedback.question, Text),
    }
    source = select(AnswerRow.id, literal(user_id, BigInteger), *said.values())
    fresh = insert(FeedbackRow).from_select(
        ["answer_id", "user_id", *said], source.where(AnswerRow.id == answer_id, own)
    )
    query = fresh.on_conflict_do_update(
        index_elements=["answer_id", "user_id"],
        set_={name: fresh.excluded[name] for name in _SAID},
    )
    return session.scalar(query.returning(FeedbackRow.id)) is not None


def _entry(found: Row[FeedbackRow, AnswerRow, str]) -> FeedbackEntry:
    """The record of a row."""
    row, answer, username = found
    return FeedbackEntry(
        id=row.id,
        created_at=row.created_at,
        username=username,
        feedback=Feedback(
            rating=Rating(row.rating),
            reason=Reason(row.reason) if row.reason else None,
            comment=row.comment,
            question=row.question,
        ),
        answer=audited(answer),
    )
