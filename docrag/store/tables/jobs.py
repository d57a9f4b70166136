"""Runs of the ingest pipeline."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
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
        CheckConstraint("retries >= 0", name="retries_positive"),
        CheckConstraint(
            "CASE state WHEN 'failed' THEN error <> '' WHEN 'queued' THEN true ELSE error = '' END",
            name="failed_has_error",
        ),
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
    #: Why it failed; of a queued one, why the try before failed.
    error: Mapped[str] = mapped_column(Text, server_default=text("''"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )
    started_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    heartbeat_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    finished_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    #: Not before, after a failure that may pass; ``None`` for at once.
    run_after: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    #: Tries that ended with such a failure, out of ``attempts``.
    retries: Mapped[int] = mapped_column(server_default=text("0"))
    cancel_requested: Mapped[bool] = mapped_column(server_default=text("false"))


class IngestRecordRow(Base):
    """What a loader has read so far, in its own form: for the next run, if this one is killed."""

    __tablename__ = "ingest_records"
    __table_args__ = (CheckConstraint("ordinal >= 0", name="ordinal_positive"),)

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    record: Mapped[dict[str, str]] = mapped_column(JSONB)


class IngestVectorRow(Base):
    """A vector of a text that is not searched yet: of a run under way, or of a space to come."""

    __tablename__ = "ingest_vectors"
    __table_args__ = (
        CheckConstraint("octet_length(digest) = 32", name="digest_length"),
        CheckConstraint("e IS NULL OR NOT too_long", name="refused_or_embedded"),
    )

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    space_id: Mapped[int] = mapped_column(
        ForeignKey("embedding_spaces.id", ondelete="CASCADE"), primary_key=True
    )
    #: SHA-256 of the embedded text, so that a changed one is embedded anew.
    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    #: ``NULL`` for a text that the embedder refused.
    e: Mapped[Any | None] = mapped_column(HALFVEC)
    #: It was refused for its length.
    too_long: Mapped[bool] = mapped_column(server_default=text("false"))
