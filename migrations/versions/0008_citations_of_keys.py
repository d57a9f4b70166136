"""How the answers of a key show their sources."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        ALTER TABLE api_keys
            ADD citations text DEFAULT 'auto' NOT NULL,
            ADD CONSTRAINT ck_api_keys_citations_known CHECK (
                citations IN ('auto', 'footer', 'events'))
        """
    )


def downgrade() -> None:
    op.execute("ALTER TABLE api_keys DROP citations")
