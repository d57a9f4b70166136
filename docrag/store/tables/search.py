"""What the two searches read: embedding spaces with their vectors, and terms with postings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    PrimaryKeyConstraint,
    SmallInteger,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, REAL
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base


class SpaceRow(Base):
    """An embedding space: one model, one dimension, one way of cutting chunks."""

    __tablename__ = "embedding_spaces"
    __table_args__ = (
        UniqueConstraint("model_id", "dim", "chunking"),
        # 4000 is the most that pgvector's HNSW takes for halfvec.
        CheckConstraint("dim BETWEEN 1 AND 4000", name="dim_range"),
        CheckConstraint("state IN ('building', 'active', 'retired')", name="state_known"),
        CheckConstraint("model_id <> ''", name="model_id_filled"),
        CheckConstraint("(cosine_weight IS NULL) = (calibration IS NULL)", name="calibrated"),
        CheckConstraint(
            "cosine_weight >= 0 AND cosine_weight < 'Infinity'", name="cosine_weight_range"
        ),
        CheckConstraint("evidence_threshold BETWEEN 0 AND 1", name="evidence_threshold_range"),
        Index(
            "uq_embedding_spaces_active",
            "state",
            unique=True,
            postgresql_where=text("state = 'active'"),
        ),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    model_id: Mapped[str] = mapped_column(Text)
    dim: Mapped[int]
    chunking: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text, server_default=text("'building'"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("now()")
    )
    #: What a cosine of 1 is worth in units of BM25, and what that was measured on.
    cosine_weight: Mapped[float | None]
    calibration: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    #: When it became the active one last; ``None`` before the first time.
    activated_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    #: Evidence of the gate below which nothing is answered, 0 to 1; ``None`` until calibrated.
    evidence_threshold: Mapped[float | None] = mapped_column(REAL)


class SpaceDocumentRow(Base):
    """A document that a space holds whole: searched there, or ready to be."""

    __tablename__ = "space_documents"
    __table_args__ = (
        CheckConstraint("jsonb_typeof(warnings) = 'array'", name="warnings_array"),
        Index(None, "document_id"),
    )

    space_id: Mapped[int] = mapped_column(
        ForeignKey("embedding_spaces.id", ondelete="CASCADE"), primary_key=True
    )
    document_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    #: That of the document when it was embedded; with another one it is to be done again.
    ready_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    #: Of its chunks, those that the space's embedder refused, for people.
    warnings: Mapped[list[str]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    filled_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )


class EmbeddingRow(Base):
    """The vector of a chunk in one space; each space is a partition made at run time."""

    __tablename__ = "embeddings"
    __table_args__ = (
        ForeignKeyConstraint(
            ["chunk_id", "document_id"], ["chunks.id", "chunks.document_id"], ondelete="CASCADE"
        ),
        # The exact search goes from permitted documents to vectors, the cascade from chunks.
        Index(None, "document_id", "chunk_id"),
        {"postgresql_partition_by": "LIST (space_id)"},
    )

    space_id: Mapped[int] = mapped_column(
        ForeignKey("embedding_spaces.id", ondelete="CASCADE"), primary_key=True
    )
    chunk_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    document_id: Mapped[int] = mapped_column(BigInteger)
    allowed_roles: Mapped[list[str]] = mapped_column(ARRAY(Text))
    e: Mapped[Any] = mapped_column(HALFVEC, nullable=False)


class TermRow(Base):
    """A term of the lexical search, numbered so that postings stay small."""

    __tablename__ = "terms"
    __table_args__ = (
        CheckConstraint("char_length(term) BETWEEN 1 AND 255", name="term_length"),
        CheckConstraint("df >= 0", name="df_positive"),
        # For terms that begin with a word, compared by bytes whatever the collation.
        Index("ix_terms_term_bytes", "term", postgresql_ops={"term": "text_pattern_ops"}),
        {"postgresql_with": {"fillfactor": 50}},
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    term: Mapped[str] = mapped_column(Text, unique=True)
    #: In how many chunks of the whole corpus it stands; written by a trigger only.
    df: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class PostingRow(Base):
    """How often a term stands in a chunk (``tf``), with the chunk's length in terms (``dl``)."""

    __tablename__ = "postings"
    __table_args__ = (
        PrimaryKeyConstraint("term_id", "chunk_id", postgresql_include=["document_id", "tf", "dl"]),
        CheckConstraint("tf >= 1 AND dl >= tf", name="tf_dl_range"),
        Index(None, "chunk_id"),
        # Index-only scans need a fresh visibility map.
        {"postgresql_with": {"autovacuum_vacuum_insert_scale_factor": 0.02}},
    )

    #: No foreign key: it would lock a row of ``terms`` for every posting written. Terms without a
    #: posting are removed under a lock that writers share instead.
    term_id: Mapped[int]
    #: No foreign key either: triggers check each statement's rows at once, and remove those of
    #: chunks that are gone.
    chunk_id: Mapped[int] = mapped_column(BigInteger)
    document_id: Mapped[int] = mapped_column(BigInteger)
    tf: Mapped[int] = mapped_column(SmallInteger)
    dl: Mapped[int] = mapped_column(SmallInteger)


class DocumentTermsRow(Base):
    """How many chunks of a document hold each term; a trigger adds it up in ``terms``."""

    __tablename__ = "document_terms"
    __table_args__ = (
        CheckConstraint("cardinality(term_ids) = cardinality(counts)", name="one_count_each"),
    )

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    term_ids: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    counts: Mapped[list[int]] = mapped_column(ARRAY(Integer))


class DocumentGramsRow(Base):
    """How many chunks of a document hold each letter gram; a trigger adds it up in ``grams``."""

    __tablename__ = "document_grams"
    __table_args__ = (
        CheckConstraint("cardinality(grams) = cardinality(counts)", name="one_count_each"),
    )

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    grams: Mapped[list[str]] = mapped_column(ARRAY(Text))
    counts: Mapped[list[int]] = mapped_column(ARRAY(Integer))


class GramRow(Base):
    """In how many chunks of the whole corpus a letter gram stands; written by a trigger only."""

    __tablename__ = "grams"
    __table_args__ = (
        CheckConstraint("df >= 0", name="df_positive"),
        {"postgresql_with": {"fillfactor": 50}},
    )

    gram: Mapped[str] = mapped_column(Text, primary_key=True)
    df: Mapped[int] = mapped_column(BigInteger)
