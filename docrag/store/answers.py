"""The audit of answers."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select

from docrag.api import UnknownName, Usage
from docrag.store.records import AuditedAnswer
from docrag.store.sessions import Sessions
from docrag.store.tables import AnswerRow


class Answers:
    """Records what was asked and offered; the text of an answer is not kept."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def record(
        self,
        *,
        id: str,
        channel: str,
        model_id: str,
        prompt_id: str,
        retriever: str,
        context_chunk_ids: Sequence[int],
        cited_chunk_ids: Sequence[int],
        abstained: bool,
        reason: str,
        duration: float,
        usage: Usage,
        user_id: int | None = None,
        key_id: int | None = None,
        frontend: str | None = None,
        question: str | None = None,
        space_id: int | None = None,
    ) -> None:
        """Write one row.

        :param id: the answer's identifier, UUID text.
        :param channel: ``http``, ``cli`` or ``library``.
        :param context_chunk_ids: chunks that were offered to the model, in order.
        :param cited_chunk_ids: those of them that the answer cites.
        :param reason: why it abstained, or why the answer ended.
        :param duration: seconds from question to end.
        :param frontend: the trusted front end that named the user.
        :param question: only where the operator has questions kept.
        :raises StoreError: the row contradicts itself, or names a user, key or space that is gone.
        """
        row = AnswerRow(
            id=uuid.UUID(id),
            user_id=user_id,
            key_id=key_id,
            frontend=frontend,
            channel=channel,
            question=question,
            model_id=model_id,
            prompt_id=prompt_id,
            retriever=retriever,
            space_id=space_id,
            context_chunk_ids=list(context_chunk_ids),
            cited_chunk_ids=list(cited_chunk_ids),
            abstained=abstained,
            reason=reason,
            duration_ms=round(duration * 1000),
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
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
