"""Runs of the ingest pipeline."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import CheckConstraint, DateTime, ForeignKey, Index, Text, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base


class JobRow(Base):
    """One run over one document; at most one of a document is queued or running."""

    __tablename__ = "ingest_jobs"
    __table_args__ = (
        CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name="state_known"
        ),
        CheckConstraint("done >= 0 AND total >= 0 AND attempts >= 0", name="counts_positive"),
        CheckConstraint("(state = 'failed') = (error <> '')", name="failed_has_error"),
        Index(
            "uq_ingest_jobs_live",
            "document_id",
            unique=True,
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index(
            "ix_ingest_jobs_waiting",
            "created_at",
            "id",
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index(None, "document_id"),
    )

    id: Mapped[uuid.UUID] = mapped_column(
        Uuid, primary_key=True, server_default=text("gen_random_uuid()")
    )
    document_id: Mapped[int] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(Text, server_default=text("'queued'"))
    stage: Mapped[str] = mapped_column(Text, server_default=text("''"))
    done: Mapped[int] = mapped_column(server_default=text("0"))
    total: Mapped[int] = mapped_column(server_default=text("0"))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    error: Mapped[str] = mapped_column(Text, server_default=text("''"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )
    started_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    heartbeat_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    finished_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
