"""Who may call and what they may read: roles, users, and API keys."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    Text,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base

#: A role name: 1 to 64 letters, digits or ``_.-``; no comma, quote or space, so that it can stand
#: in any list. A code-point range and not ``\w``, which depends on the locale of the server.
ROLE_FORM = r"name ~ '^[A-Za-z0-9_.\u00aa-\U0010ffff-]{1,64}$' AND name IS NFC NORMALIZED"

#: A mail address: printable ASCII in lower case, so that no two spellings mean one mailbox.
EMAIL_FORM = r"email ~ '^[!-?\[-~]+@[a-z0-9.-]+$' AND char_length(email) <= 254"

#: A user name: 1 to 128 visible signs without spaces (plain names, mail addresses, DOMAIN\name).
USERNAME_FORM = r"username ~ '^[!-~\u00a1-\U0010ffff]{1,128}$' AND username IS NFC NORMALIZED"


class RoleRow(Base):
    """A role; ``admin`` is inserted by the migration and a trigger protects it."""

    __tablename__ = "roles"
    __table_args__ = (CheckConstraint(ROLE_FORM, name="name_form"),)

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("now()")
    )
    retired_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class UserRow(Base):
    """A person or a program."""

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint(USERNAME_FORM, name="username_form"),
        CheckConstraint("password_hash <> ''", name="password_hash_filled"),
        CheckConstraint(EMAIL_FORM, name="email_form"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    username: Mapped[str] = mapped_column(Text, unique=True)
    password_hash: Mapped[str] = mapped_column(Text)
    active: Mapped[bool] = mapped_column(server_default=text("true"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("now()")
    )
    email: Mapped[str | None] = mapped_column(Text, unique=True)


class UserRoleRow(Base):
    """A role that a user has."""

    __tablename__ = "user_roles"
    __table_args__ = (Index(None, "role"),)

    user_id: Mapped[int] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(
        ForeignKey("roles.name", onupdate="CASCADE"), primary_key=True
    )


class ApiKeyRow(Base):
    """An API key, of which only the SHA-256 is stored."""

    __tablename__ = "api_keys"
    __table_args__ = (
        CheckConstraint("octet_length(key_hash) = 32", name="key_hash_length"),
        CheckConstraint("kind IN ('user', 'frontend', 'service')", name="kind_known"),
        CheckConstraint("name <> ''", name="name_filled"),
        CheckConstraint("method IN ('jwt', 'oidc', 'headers')", name="method_known"),
        CheckConstraint("(kind = 'frontend') = (method IS NOT NULL)", name="method_of_frontend"),
        CheckConstraint("citations IN ('auto', 'footer', 'events')", name="citations_known"),
        Index(None, "user_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(Text)
    key_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    prefix: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text, server_default=text("'user'"))
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("now()")
    )
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    last_used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    revoked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    method: Mapped[str | None] = mapped_column(Text)
    citations: Mapped[str] = mapped_column(Text, server_default=text("'auto'"))


class KeyRoleRow(Base):
    """A role that narrows a user's key, is fixed for a service, or bounds a front end."""

    __tablename__ = "key_roles"
    __table_args__ = (Index(None, "role"),)

    key_id: Mapped[int] = mapped_column(
        ForeignKey("api_keys.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(
        ForeignKey("roles.name", onupdate="CASCADE"), primary_key=True
    )
