"""Counters of rate limits: unlogged, since a crash may forget them."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE UNLOGGED TABLE rate_limits (
        key text NOT NULL,
        hits integer NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pk_rate_limits PRIMARY KEY (key),
        CONSTRAINT ck_rate_limits_hits_positive CHECK (hits >= 0)
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX ix_rate_limits_expires_at ON rate_limits (expires_at)",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("rate_limits")
