"""Documents with their files, roles, pages and chunks."""

from __future__ import annotations

import uuid
from datetime import date, datetime

from sqlalchemy import (
    CHAR,
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base

#: Roles that may read a row. Written by triggers only: on documents from ``document_roles`` plus
#: ``admin``, on chunks and embeddings from their document.
_ROLES = ARRAY(Text)


class DocumentRow(Base):
    """One version of a document."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("series", "version"),
        CheckConstraint("title <> ''", name="title_filled"),
        CheckConstraint("filename <> ''", name="filename_filled"),
        CheckConstraint("suffix <> ''", name="suffix_filled"),
        CheckConstraint("sha256 ~ '^[0-9a-f]{64}$'", name="sha256_form"),
        CheckConstraint("size >= 0", name="size_positive"),
        CheckConstraint(
            "state IN ('queued', 'processing', 'ready', 'ready_with_warnings', 'failed')",
            name="state_known",
        ),
        CheckConstraint("(state = 'failed') = (error <> '')", name="failed_has_error"),
        CheckConstraint(
            "state NOT IN ('ready', 'ready_with_warnings')"
            " OR (n_chunks > 0 AND ready_at IS NOT NULL)",
            name="ready_has_chunks",
        ),
        CheckConstraint("jsonb_typeof(warnings) = 'array'", name="warnings_array"),
        CheckConstraint(
            "state <> 'ready_with_warnings' OR warnings <> '[]'::jsonb", name="warned_has_warnings"
        ),
        CheckConstraint("language ~ '^[a-z]{2}$'", name="language_form"),
        CheckConstraint("n_grams >= 0", name="n_grams_positive"),
        CheckConstraint("n_pages >= 0 AND n_chunks >= 0 AND n_tokens >= 0", name="counts_positive"),
        CheckConstraint("'admin' = ANY (allowed_roles)", name="admin_allowed"),
        CheckConstraint("version >= 1", name="version_positive"),
        Index(
            "uq_documents_sha256",
            "sha256",
            unique=True,
            postgresql_where=sql("state <> 'failed'"),
        ),
        Index(None, "allowed_roles", postgresql_using="gin"),
        Index(None, "uploaded_by"),
        Index(None, "created_at", "id"),
        Index(None, "source", postgresql_where=sql("source <> ''")),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    public_id: Mapped[uuid.UUID] = mapped_column(
        Uuid, unique=True, server_default=sql("gen_random_uuid()")
    )
    title: Mapped[str] = mapped_column(Text)
    filename: Mapped[str] = mapped_column(Text)
    suffix: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(CHAR(64))
    size: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(Text, server_default=sql("'queued'"))
    error: Mapped[str] = mapped_column(Text, server_default=sql("''"))
    warnings: Mapped[list[str]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    n_pages: Mapped[int | None]
    n_chunks: Mapped[int] = mapped_column(server_default=sql("0"))
    n_tokens: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    allowed_roles: Mapped[list[str]] = mapped_column(
        _ROLES, server_default=sql("'{admin}'::text[]")
    )
    series: Mapped[uuid.UUID] = mapped_column(Uuid, server_default=sql("gen_random_uuid()"))
    version: Mapped[int] = mapped_column(server_default=sql("1"))
    uploaded_by: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=sql("now()")
    )
    ready_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    #: ISO 639-1, as detected.
    language: Mapped[str] = mapped_column(Text, server_default=sql("'tr'"))
    #: Letter grams of all chunks.
    n_grams: Mapped[int] = mapped_column(BigInteger, server_default=sql("0"))
    #: Where a watched file came from, for finding its document again; else empty.
    source: Mapped[str] = mapped_column(Text, server_default=sql("''"))
    #: First and last day on which the version is in force; ``None`` for no bound.
    valid_from: Mapped[date | None]
    valid_to: Mapped[date | None]
    #: The last day as it was given; ``valid_to`` is earlier where another version begins before.
    given_to: Mapped[date | None]


class DocumentRoleRow(Base):
    """A role that may read a document: the truth that all ``allowed_roles`` are copied from."""

    __tablename__ = "document_roles"
    __table_args__ = (Index(None, "role"),)

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(
        ForeignKey("roles.name", onupdate="CASCADE"), primary_key=True
    )


class DocumentFileRow(Base):
    """The uploaded file, kept here so that upload, job and deletion are one transaction each."""

    __tablename__ = "document_files"

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    data: Mapped[bytes] = mapped_column(LargeBinary)


class PageRow(Base):
    """One page, or one section of a format without pages, as the loader read it."""

    __tablename__ = "pages"
    __table_args__ = (
        CheckConstraint("ordinal >= 0", name="ordinal_positive"),
        CheckConstraint("number >= 1", name="number_positive"),
    )

    document_id: Mapped[int] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int | None]
    section: Mapped[str] = mapped_column(Text, server_default=sql("''"))
    text: Mapped[str] = mapped_column(Text)
    warning: Mapped[str] = mapped_column(Text, server_default=sql("''"))


class ChunkRow(Base):
    """A piece of a document that is found and cited as a whole."""

    __tablename__ = "chunks"
    __table_args__ = (
        UniqueConstraint("document_id", "ordinal"),
        # What embeddings and postings refer to, so that neither can name another document than
        # the chunk's own and thereby be read with that one's roles.
        UniqueConstraint("id", "document_id"),
        CheckConstraint("ordinal >= 0", name="ordinal_positive"),
        CheckConstraint("text <> ''", name="text_filled"),
        CheckConstraint(
            "(page_first IS NULL AND page_last IS NULL)"
            " OR (page_first >= 1 AND page_last >= page_first"
            " AND page_first IS NOT NULL AND page_last IS NOT NULL)",
            name="page_range",
        ),
        CheckConstraint("n_tokens >= 0", name="n_tokens_positive"),
        CheckConstraint(
            "(article_kind IS NULL) = (article_number IS NULL)"
            " AND (paragraph_first IS NULL) = (paragraph_last IS NULL)"
            " AND (article_kind IS NOT NULL OR (paragraph_first IS NULL AND status = ''))",
            name="article_whole",
        ),
        CheckConstraint(
            "paragraph_first >= 1 AND paragraph_last >= paragraph_first", name="paragraph_range"
        ),
        Index(
            "ix_chunks_article",
            "article_kind",
            "article_number",
            postgresql_where=sql("article_kind IS NOT NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    document_id: Mapped[int] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    page_first: Mapped[int | None]
    page_last: Mapped[int | None]
    section: Mapped[str] = mapped_column(Text, server_default=sql("''"))
    n_tokens: Mapped[int]
    allowed_roles: Mapped[list[str]] = mapped_column(_ROLES)
    label: Mapped[str] = mapped_column(Text, server_default=sql("''"))
    #: Places in ``text`` where the pages after ``page_first`` begin, characters.
    page_breaks: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=sql("'{}'"))
    #: The article that the chunk is the whole or a part of, see :class:`docrag.api.Article`.
    article_kind: Mapped[str | None] = mapped_column(Text)
    article_number: Mapped[str | None] = mapped_column(Text)
    paragraph_first: Mapped[int | None]
    paragraph_last: Mapped[int | None]
    status: Mapped[str] = mapped_column(Text, server_default=sql("''"))
