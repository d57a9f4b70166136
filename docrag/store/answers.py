"""The audit of answers."""

from __future__ import annotations

import uuid
from dataclasses import fields

from sqlalchemy import func, select

from docrag.api import UnknownName, Usage
from docrag.store.records import AuditedAnswer
from docrag.store.sessions import Sessions
from docrag.store.tables import AnswerRow


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
                "duration_ms": round(answer.duration * 1000),
                "prompt_tokens": answer.usage.prompt_tokens,
                "completion_tokens": answer.usage.completion_tokens,
            }
        )
        with self._sessions.begin() as session:
            session.add(row)

    def count(self) -> int:
        """Number of answers and abstentions."""
        with self._sessions.begin() as session:
            return session.scalar(select(func.count()).select_from(AnswerRow)) or 0

    def get(self, id: str) -> AuditedAnswer:
        """One row.

        :raises UnknownName: there is none, or the identifier is malformed.
        """
        try:
            key = uuid.UUID(id)
        except ValueError:
            raise UnknownName("answer", id) from None
        with self._sessions.begin() as session:
            row = session.get(AnswerRow, key)
        if row is None:
            raise UnknownName("answer", id)
        return _audited(row)


def _audited(row: AnswerRow) -> AuditedAnswer:
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
    )
