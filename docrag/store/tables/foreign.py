"""What other systems say of people: their identities there, and their groups' roles here."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base


class IdentityRow(Base):
    """Who a user is at an identity provider."""

    __tablename__ = "identities"
    __table_args__ = (
        CheckConstraint("octet_length(issuer) BETWEEN 1 AND 512", name="issuer_length"),
        CheckConstraint("octet_length(subject) BETWEEN 1 AND 1024", name="subject_length"),
        Index(None, "user_id"),
    )

    issuer: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))


class GroupRoleRow(Base):
    """A role that the members of a group get; admin is never given from outside."""

    __tablename__ = "group_roles"
    __table_args__ = (
        CheckConstraint("octet_length(issuer) BETWEEN 1 AND 512", name="issuer_length"),
        CheckConstraint("octet_length(group_id) BETWEEN 1 AND 1024", name="group_id_length"),
        CheckConstraint("role <> 'admin'", name="never_admin"),
        Index(None, "role"),
    )

    issuer: Mapped[str] = mapped_column(Text, primary_key=True)
    group_id: Mapped[str] = mapped_column(Text, primary_key=True)
    role: Mapped[str] = mapped_column(
        ForeignKey("roles.name", onupdate="CASCADE"), primary_key=True
    )
