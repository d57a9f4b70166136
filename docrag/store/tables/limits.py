"""Counters of requests in a stretch of time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, DateTime, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base


class RateLimitRow(Base):
    """How often somebody asked since their window opened; lost when the server crashes."""

    __tablename__ = "rate_limits"
    __table_args__ = (
        CheckConstraint("hits >= 0", name="hits_positive"),
        Index(None, "expires_at"),
        # Not in the write-ahead log: a hit needs no flush to disk. Room in the pages, so that a
        # hit touches no index.
        {"prefixes": ["UNLOGGED"], "postgresql_with": {"fillfactor": 50}},
    )

    #: Who is counted, and by which limit.
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    hits: Mapped[int]
    #: End of the window; a hit after it opens the next one.
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
