"""People and documents."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PEOPLE = (
    r"""
    CREATE TABLE roles (
        name text NOT NULL,
        created_at timestamptz DEFAULT now() NOT NULL,
        retired_at timestamptz,
        CONSTRAINT pk_roles PRIMARY KEY (name),
        CONSTRAINT ck_roles_name_form CHECK (
            name ~ '^[A-Za-z0-9_.\u00aa-\U0010ffff-]{1,64}$' AND name IS NFC NORMALIZED)
    )
    """,
    "INSERT INTO roles (name) VALUES ('admin')",
    r"""
    CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY,
        username text NOT NULL,
        password_hash text NOT NULL,
        active boolean DEFAULT true NOT NULL,
        created_at timestamptz DEFAULT now() NOT NULL,
        CONSTRAINT pk_users PRIMARY KEY (id),
        CONSTRAINT ck_users_username_form CHECK (
            username ~ '^[!-~\u00a1-\U0010ffff]{1,128}$' AND username IS NFC NORMALIZED),
        CONSTRAINT ck_users_password_hash_filled CHECK (password_hash <> ''),
        CONSTRAINT uq_users_username UNIQUE (username)
    )
    """,
    """
    CREATE TABLE user_roles (
        user_id bigint NOT NULL,
        role text NOT NULL,
        CONSTRAINT pk_user_roles PRIMARY KEY (user_id, role),
        CONSTRAINT fk_user_roles_user_id_users
            FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT fk_user_roles_role_roles
            FOREIGN KEY (role) REFERENCES roles (name) ON UPDATE CASCADE
    )
    """,
    "CREATE INDEX ix_user_roles_role ON user_roles (role)",
    """
    CREATE TABLE api_keys (
        id bigint GENERATED ALWAYS AS IDENTITY,
        user_id bigint NOT NULL,
        name text NOT NULL,
        key_hash bytea NOT NULL,
        prefix text NOT NULL,
        kind text DEFAULT 'user' NOT NULL,
        created_at timestamptz DEFAULT now() NOT NULL,
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT pk_api_keys PRIMARY KEY (id),
        CONSTRAINT ck_api_keys_key_hash_length CHECK (octet_length(key_hash) = 32),
        CONSTRAINT ck_api_keys_kind_known CHECK (kind IN ('user', 'frontend', 'service')),
        CONSTRAINT ck_api_keys_name_filled CHECK (name <> ''),
        CONSTRAINT fk_api_keys_user_id_users
            FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT uq_api_keys_key_hash UNIQUE (key_hash)
    )
    """,
    "CREATE INDEX ix_api_keys_user_id ON api_keys (user_id)",
)

DOCUMENTS = (
    """
    CREATE TABLE documents (
        id bigint GENERATED ALWAYS AS IDENTITY,
        public_id uuid DEFAULT gen_random_uuid() NOT NULL,
        title text NOT NULL,
        filename text NOT NULL,
        suffix text NOT NULL,
        sha256 char(64) NOT NULL,
        size bigint NOT NULL,
        state text DEFAULT 'queued' NOT NULL,
        error text DEFAULT '' NOT NULL,
        warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
        n_pages integer,
        n_chunks integer DEFAULT 0 NOT NULL,
        n_tokens bigint DEFAULT 0 NOT NULL,
        allowed_roles text[] DEFAULT '{admin}'::text[] NOT NULL,
        series uuid DEFAULT gen_random_uuid() NOT NULL,
        version integer DEFAULT 1 NOT NULL,
        uploaded_by bigint,
        created_at timestamptz DEFAULT now() NOT NULL,
        ready_at timestamptz,
        CONSTRAINT pk_documents PRIMARY KEY (id),
        CONSTRAINT uq_documents_public_id UNIQUE (public_id),
        CONSTRAINT uq_documents_series_version UNIQUE (series, version),
        CONSTRAINT ck_documents_title_filled CHECK (title <> ''),
        CONSTRAINT ck_documents_filename_filled CHECK (filename <> ''),
        CONSTRAINT ck_documents_suffix_filled CHECK (suffix <> ''),
        CONSTRAINT ck_documents_sha256_form CHECK (sha256 ~ '^[0-9a-f]{64}$'),
        CONSTRAINT ck_documents_size_positive CHECK (size >= 0),
        CONSTRAINT ck_documents_state_known CHECK (
            state IN ('queued', 'processing', 'ready', 'ready_with_warnings', 'failed')),
        CONSTRAINT ck_documents_failed_has_error CHECK ((state = 'failed') = (error <> '')),
        CONSTRAINT ck_documents_ready_has_chunks CHECK (
            state NOT IN ('ready', 'ready_with_warnings')
            OR (n_chunks > 0 AND ready_at IS NOT NULL)),
        CONSTRAINT ck_documents_warnings_array CHECK (jsonb_typeof(warnings) = 'array'),
        CONSTRAINT ck_documents_warned_has_warnings CHECK (
            state <> 'ready_with_warnings' OR warnings <> '[]'::jsonb),
        CONSTRAINT ck_documents_counts_positive CHECK (
            n_pages >= 0 AND n_chunks >= 0 AND n_tokens >= 0),
        CONSTRAINT ck_documents_admin_allowed CHECK ('admin' = ANY (allowed_roles)),
        CONSTRAINT ck_documents_version_positive CHECK (version >= 1),
        CONSTRAINT fk_documents_uploaded_by_users
            FOREIGN KEY (uploaded_by) REFERENCES users (id) ON DELETE SET NULL
    )
    """,
    "CREATE UNIQUE INDEX uq_documents_sha256 ON documents (sha256) WHERE state <> 'failed'",
    "CREATE INDEX ix_documents_allowed_roles ON documents USING gin (allowed_roles)",
    "CREATE INDEX ix_documents_uploaded_by ON documents (uploaded_by)",
    "CREATE INDEX ix_documents_created_at_id ON documents (created_at, id)",
    """
    CREATE TABLE document_roles (
        document_id bigint NOT NULL,
        role text NOT NULL,
        CONSTRAINT pk_document_roles PRIMARY KEY (document_id, role),
        CONSTRAINT fk_document_roles_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
        CONSTRAINT fk_document_roles_role_roles
            FOREIGN KEY (role) REFERENCES roles (name) ON UPDATE CASCADE
    )
    """,
    "CREATE INDEX ix_document_roles_role ON document_roles (role)",
    """
    CREATE TABLE document_files (
        document_id bigint NOT NULL,
        data bytea NOT NULL,
        CONSTRAINT pk_document_files PRIMARY KEY (document_id),
        CONSTRAINT fk_document_files_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE pages (
        document_id bigint NOT NULL,
        ordinal integer NOT NULL,
        number integer,
        section text DEFAULT '' NOT NULL,
        text text NOT NULL,
        warning text DEFAULT '' NOT NULL,
        CONSTRAINT pk_pages PRIMARY KEY (document_id, ordinal),
        CONSTRAINT ck_pages_ordinal_positive CHECK (ordinal >= 0),
        CONSTRAINT ck_pages_number_positive CHECK (number >= 1),
        CONSTRAINT fk_pages_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE chunks (
        id bigint GENERATED ALWAYS AS IDENTITY,
        document_id bigint NOT NULL,
        ordinal integer NOT NULL,
        text text NOT NULL,
        page_first integer,
        page_last integer,
        section text DEFAULT '' NOT NULL,
        n_tokens integer NOT NULL,
        allowed_roles text[] NOT NULL,
        CONSTRAINT pk_chunks PRIMARY KEY (id),
        CONSTRAINT uq_chunks_document_id_ordinal UNIQUE (document_id, ordinal),
        CONSTRAINT uq_chunks_id_document_id UNIQUE (id, document_id),
        CONSTRAINT ck_chunks_ordinal_positive CHECK (ordinal >= 0),
        CONSTRAINT ck_chunks_text_filled CHECK (text <> ''),
        CONSTRAINT ck_chunks_page_range CHECK (
            (page_first IS NULL AND page_last IS NULL)
            OR (page_first >= 1 AND page_last >= page_first
                AND page_first IS NOT NULL AND page_last IS NOT NULL)),
        CONSTRAINT ck_chunks_n_tokens_positive CHECK (n_tokens >= 0),
        CONSTRAINT fk_chunks_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
)


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    for statement in (*PEOPLE, *DOCUMENTS):
        op.execute(statement)


def downgrade() -> None:
    # The extension stays: other schemas of the database may use it.
    for table in (
        "chunks",
        "pages",
        "document_files",
        "document_roles",
        "documents",
        "api_keys",
        "user_roles",
        "users",
        "roles",
    ):
        op.drop_table(table)
