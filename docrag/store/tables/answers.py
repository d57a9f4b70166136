"""The audit of answers: what was asked, offered and cited, without the answer's text."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Index, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, REAL
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base


class AnswerRow(Base):
    """One answer or abstention."""

    __tablename__ = "answers"
    __table_args__ = (
        CheckConstraint("channel IN ('http', 'cli', 'library')", name="channel_known"),
        CheckConstraint(
            "duration_ms >= 0 AND prompt_tokens >= 0 AND completion_tokens >= 0",
            name="counts_positive",
        ),
        CheckConstraint("cited_chunk_ids <@ context_chunk_ids", name="cited_was_offered"),
        CheckConstraint(
            "retrieval BETWEEN 0 AND 1 AND citation_coverage BETWEEN 0 AND 1"
            " AND completeness BETWEEN 0 AND 1",
            name="confidence_range",
        ),
        CheckConstraint("unsupported >= 0", name="unsupported_positive"),
        Index(None, "created_at"),
        Index(None, "user_id"),
    )

    id: Mapped[uuid.UUID] = mapped_column(
        Uuid, primary_key=True, server_default=text("gen_random_uuid()")
    )
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("now()")
    )
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    key_id: Mapped[int | None] = mapped_column(ForeignKey("api_keys.id", ondelete="SET NULL"))
    frontend: Mapped[str | None] = mapped_column(Text)
    channel: Mapped[str] = mapped_column(Text)
    question: Mapped[str | None] = mapped_column(Text)
    model_id: Mapped[str] = mapped_column(Text)
    prompt_id: Mapped[str] = mapped_column(Text)
    retriever: Mapped[str] = mapped_column(Text)
    space_id: Mapped[int | None] = mapped_column(
        ForeignKey("embedding_spaces.id", ondelete="SET NULL")
    )
    context_chunk_ids: Mapped[list[int]] = mapped_column(
        ARRAY(BigInteger), server_default=text("'{}'::bigint[]")
    )
    cited_chunk_ids: Mapped[list[int]] = mapped_column(
        ARRAY(BigInteger), server_default=text("'{}'::bigint[]")
    )
    abstained: Mapped[bool]
    reason: Mapped[str] = mapped_column(Text, server_default=text("''"))
    duration_ms: Mapped[int]
    prompt_tokens: Mapped[int] = mapped_column(server_default=text("0"))
    completion_tokens: Mapped[int] = mapped_column(server_default=text("0"))
    #: The parts of the confidence, 0 to 1; ``None`` where there is none.
    retrieval: Mapped[float | None] = mapped_column(REAL)
    citation_coverage: Mapped[float | None] = mapped_column(REAL)
    completeness: Mapped[float | None] = mapped_column(REAL)
    #: Sentences that no cited source supports.
    unsupported: Mapped[int] = mapped_column(server_default=text("0"))
    #: What the guard saw in the question.
    flags: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'::text[]"))
