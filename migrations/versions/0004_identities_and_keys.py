"""Mail addresses, identities, groups, kinds of keys, and the throttle of sign-in."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

COLUMNS = (
    r"""
    ALTER TABLE users
        ADD COLUMN email text,
        ADD CONSTRAINT uq_users_email UNIQUE (email),
        ADD CONSTRAINT ck_users_email_form CHECK (
            email ~ '^[!-?\[-~]+@[a-z0-9.-]+$' AND char_length(email) <= 254)
    """,
    """
    ALTER TABLE api_keys
        ADD COLUMN method text,
        ADD CONSTRAINT ck_api_keys_method_known CHECK (method IN ('jwt', 'oidc', 'headers')),
        ADD CONSTRAINT ck_api_keys_method_of_frontend CHECK (
            (kind = 'frontend') = (method IS NOT NULL))
    """,
)

TABLES = (
    """
    CREATE TABLE key_roles (
        key_id bigint NOT NULL,
        role text NOT NULL,
        CONSTRAINT pk_key_roles PRIMARY KEY (key_id, role),
        CONSTRAINT fk_key_roles_key_id_api_keys
            FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE CASCADE,
        CONSTRAINT fk_key_roles_role_roles
            FOREIGN KEY (role) REFERENCES roles (name) ON UPDATE CASCADE
    )
    """,
    "CREATE INDEX ix_key_roles_role ON key_roles (role)",
    """
    CREATE TABLE identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id bigint NOT NULL,
        CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
        CONSTRAINT ck_identities_issuer_length CHECK (octet_length(issuer) BETWEEN 1 AND 512),
        CONSTRAINT ck_identities_subject_length CHECK (octet_length(subject) BETWEEN 1 AND 1024),
        CONSTRAINT fk_identities_user_id_users
            FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX ix_identities_user_id ON identities (user_id)",
    """
    CREATE TABLE group_roles (
        issuer text NOT NULL,
        group_id text NOT NULL,
        role text NOT NULL,
        CONSTRAINT pk_group_roles PRIMARY KEY (issuer, group_id, role),
        CONSTRAINT ck_group_roles_issuer_length CHECK (octet_length(issuer) BETWEEN 1 AND 512),
        CONSTRAINT ck_group_roles_group_id_length CHECK (
            octet_length(group_id) BETWEEN 1 AND 1024),
        CONSTRAINT ck_group_roles_never_admin CHECK (role <> 'admin'),
        CONSTRAINT fk_group_roles_role_roles
            FOREIGN KEY (role) REFERENCES roles (name) ON UPDATE CASCADE
    )
    """,
    "CREATE INDEX ix_group_roles_role ON group_roles (role)",
    """
    CREATE TABLE login_throttle (
        username_hash bytea NOT NULL,
        address_hash bytea NOT NULL,
        failures integer DEFAULT 0 NOT NULL,
        known boolean DEFAULT false NOT NULL,
        blocked_until timestamptz,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pk_login_throttle PRIMARY KEY (username_hash, address_hash),
        CONSTRAINT ck_login_throttle_username_hash_length CHECK (
            octet_length(username_hash) = 32),
        CONSTRAINT ck_login_throttle_address_hash_length CHECK (
            octet_length(address_hash) IN (0, 32)),
        CONSTRAINT ck_login_throttle_failures_positive CHECK (failures >= 0)
    )
    """,
    "CREATE INDEX ix_login_throttle_expires_at ON login_throttle (expires_at)",
)


def upgrade() -> None:
    for statement in (*COLUMNS, *TABLES):
        op.execute(statement)


def downgrade() -> None:
    # Keys of other kinds, and narrowed ones, would open all that their user may read.
    op.execute("DELETE FROM api_keys WHERE kind <> 'user' OR id IN (SELECT key_id FROM key_roles)")
    for table in ("login_throttle", "group_roles", "identities", "key_roles"):
        op.drop_table(table)
    op.execute("ALTER TABLE api_keys DROP COLUMN method")
    op.execute("ALTER TABLE users DROP COLUMN email")
