"""The audit of answers."""

from __future__ import annotations

import uuid
from dataclasses import fields
from datetime import datetime
from typing import Any, cast

from sqlalchemy import CursorResult, Delete, Update, delete, func, literal, select, tuple_, update
from sqlalchemy.orm import Session

from docrag.api import Access, UnknownName, Usage
from docrag.store.names import is_username
from docrag.store.records import AuditedAnswer, AuditEntry
from docrag.store.sessions import Sessions
from docrag.store.tables import AnswerRow, ApiKeyRow, UserRow


class Answers:
    """Records what was asked and offered; the text of an answer is not kept."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def record(self, answer: AuditedAnswer) -> None:
        """Write one row.

        :raises StoreError: the row contradicts itself, or names a user, key or space that is gone.
        """
        values = {item.name: getattr(answer, item.name) for item in fields(answer)}
        del values["usage"], values["duration"]
        row = AnswerRow(
            **values
            | {
                "id": uuid.UUID(answer.id),
                "context_chunk_ids": list(answer.context_chunk_ids),
                "cited_chunk_ids": list(answer.cited_chunk_ids),
                "flags": list(answer.flags),
                "duration_ms": round(answer.duration * 1000),
                "prompt_tokens": answer.usage.prompt_tokens,
                "completion_tokens": answer.usage.completion_tokens,
            }
        )
        # As the role that can add to the audit but not change it.
        with self._sessions.begin(access=Access.of([])) as session:
            session.add(row)

    def list(
        self,
        *,
        limit: int,
        before: str | datetime | None = None,
        username: str | None = None,
        abstained: bool | None = None,
    ) -> list[AuditEntry]:
        """Answers and abstentions, newest first, for administrators: no access is asked for here.

        :param limit: at most so many, 1 or more.
        :param before: only what is older than this answer or than this moment with a time zone,
            for the next part of a long list; an answer also tells apart what has one moment.
        :param username: only of this user; an unknown name has none.
        :param abstained: only abstentions, or only answers.
        :raises UnknownName: there is no answer ``before``.
        :raises ValueError: ``limit`` is less than 1.
        """
        if limit < 1:
            raise ValueError(f"limit is {limit}; it must be 1 or more")
        if username is not None and not is_username(username):
            return []
        query = (
            select(AnswerRow, UserRow.username, ApiKeyRow.name)
            .outerjoin(UserRow, UserRow.id == AnswerRow.user_id)
            .outerjoin(ApiKeyRow, ApiKeyRow.id == AnswerRow.key_id)
            .order_by(AnswerRow.created_at.desc(), AnswerRow.id.desc())
            .limit(limit)
        )
        if username is not None:
            query = query.where(UserRow.username == username)
        if abstained is not None:
            query = query.where(AnswerRow.abstained == abstained)
        with self._sessions.begin() as session:
            if isinstance(before, datetime):
                query = query.where(AnswerRow.created_at < before)
            elif before is not None:
                last = _row(session, before)
                place = tuple_(AnswerRow.created_at, AnswerRow.id)
                query = query.where(place < tuple_(literal(last.created_at), literal(last.id)))
            return [
                AuditEntry(answer=audited(row), username=name, key_name=key_name)
                for row, name, key_name in session.execute(query)
            ]

    def erase_questions(self, older_than: datetime) -> int:
        """Forget the text of old questions, for the job that keeps the retention period.

        :param older_than: moment with a time zone; of what came before it.
        :returns: how many were erased.
        """
        where = (AnswerRow.created_at < older_than, AnswerRow.question.is_not(None))
        query = update(AnswerRow).where(*where).values(question=None)
        return self._changed(query)

    def remove(self, older_than: datetime) -> int:
        """Remove old rows, for the job that keeps the retention period.

        :param older_than: moment with a time zone; what came before it.
        :returns: how many were removed.
        """
        return self._changed(delete(AnswerRow).where(AnswerRow.created_at < older_than))

    def _changed(self, query: Update | Delete) -> int:
        """Run a change as the owner, which alone may; the number of rows."""
        with self._sessions.begin() as session:
            done = session.execute(query, execution_options={"synchronize_session": False})
            return int(cast("CursorResult[Any]", done).rowcount)

    def count(self) -> int:
        """Number of answers and abstentions."""
        with self._sessions.begin() as session:
            return session.scalar(select(func.count()).select_from(AnswerRow)) or 0

    def get(self, id: str) -> AuditedAnswer:
        """One row.

        :raises UnknownName: there is none, or the identifier is malformed.
        """
        with self._sessions.begin() as session:
            return audited(_row(session, id))


def _row(session: Session, answer_id: str) -> AnswerRow:
    """The row of an answer.

    :raises UnknownName: there is none, or the identifier is malformed.
    """
    try:
        row = session.get(AnswerRow, uuid.UUID(answer_id))
    except ValueError:
        row = None
    if row is None:
        raise UnknownName("answer", answer_id)
    return row


def audited(row: AnswerRow) -> AuditedAnswer:
    """The record of a row."""
    return AuditedAnswer(
        id=str(row.id),
        created_at=row.created_at,
        user_id=row.user_id,
        key_id=row.key_id,
        frontend=row.frontend,
        channel=row.channel,
        question=row.question,
        model_id=row.model_id,
        prompt_id=row.prompt_id,
        retriever=row.retriever,
        space_id=row.space_id,
        context_chunk_ids=tuple(row.context_chunk_ids),
        cited_chunk_ids=tuple(row.cited_chunk_ids),
        abstained=row.abstained,
        reason=row.reason,
        duration=row.duration_ms / 1000,
        usage=Usage(prompt_tokens=row.prompt_tokens, completion_tokens=row.completion_tokens),
        retrieval=row.retrieval,
        citation_coverage=row.citation_coverage,
        completeness=row.completeness,
        unsupported=row.unsupported,
        flags=tuple(row.flags),
    )
