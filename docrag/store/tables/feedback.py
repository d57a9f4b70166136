"""What people say of answers."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base

#: Why an answer was bad, as the database writes it.
_REASONS: Final = (
    "reason IN ('wrong', 'incomplete', 'not_in_documents', 'wrong_source', 'outdated', 'unclear',"
    " 'other')"
)


class FeedbackRow(Base):
    """What one person says of one answer; of somebody whose account is gone, without the name."""

    __tablename__ = "feedback"
    __table_args__ = (
        # NULLs are distinct: several people may be gone.
        UniqueConstraint("answer_id", "user_id"),
        CheckConstraint("rating IN ('up', 'down')", name="rating_known"),
        CheckConstraint(_REASONS, name="reason_known"),
        CheckConstraint("rating = 'down' OR reason IS NULL", name="reason_of_down"),
        CheckConstraint("char_length(comment) BETWEEN 1 AND 2000", name="comment_length"),
        CheckConstraint("char_length(question) BETWEEN 1 AND 8000", name="question_length"),
        Index(None, "created_at"),
        Index(None, "user_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    answer_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("answers.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("now()")
    )
    rating: Mapped[str] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    comment: Mapped[str | None] = mapped_column(Text)
    #: Only where the person gave it.
    question: Mapped[str | None] = mapped_column(Text)
