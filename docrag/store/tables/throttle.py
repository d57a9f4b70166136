"""Failed attempts to sign in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, DateTime, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from docrag.store.tables.metadata import Base


class LoginThrottleRow(Base):
    """Failures of one user name from one address; an empty address stands for all strange ones."""

    __tablename__ = "login_throttle"
    __table_args__ = (
        CheckConstraint("octet_length(username_hash) = 32", name="username_hash_length"),
        CheckConstraint("octet_length(address_hash) IN (0, 32)", name="address_hash_length"),
        CheckConstraint("failures >= 0", name="failures_positive"),
        Index(None, "expires_at"),
    )

    #: SHA-256: people type passwords into the wrong field, and addresses are personal data.
    username_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    address_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    #: The user signed in from this address before.
    known: Mapped[bool] = mapped_column(server_default=text("false"))
    blocked_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
