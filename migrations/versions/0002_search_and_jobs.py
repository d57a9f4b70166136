"""Search, jobs, and the audit of answers."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SEARCH = (
    """
    CREATE TABLE embedding_spaces (
        id integer GENERATED ALWAYS AS IDENTITY,
        model_id text NOT NULL,
        dim integer NOT NULL,
        chunking text NOT NULL,
        state text DEFAULT 'building' NOT NULL,
        created_at timestamptz DEFAULT now() NOT NULL,
        CONSTRAINT pk_embedding_spaces PRIMARY KEY (id),
        CONSTRAINT uq_embedding_spaces_model_id_dim_chunking UNIQUE (model_id, dim, chunking),
        CONSTRAINT ck_embedding_spaces_dim_range CHECK (dim BETWEEN 1 AND 4000),
        CONSTRAINT ck_embedding_spaces_state_known CHECK (
            state IN ('building', 'active', 'retired')),
        CONSTRAINT ck_embedding_spaces_model_id_filled CHECK (model_id <> '')
    )
    """,
    """
    CREATE UNIQUE INDEX uq_embedding_spaces_active ON embedding_spaces (state)
    WHERE state = 'active'
    """,
    """
    CREATE TABLE embeddings (
        space_id integer NOT NULL,
        chunk_id bigint NOT NULL,
        document_id bigint NOT NULL,
        allowed_roles text[] NOT NULL,
        e halfvec NOT NULL,
        CONSTRAINT pk_embeddings PRIMARY KEY (space_id, chunk_id),
        CONSTRAINT fk_embeddings_chunk_id_document_id_chunks
            FOREIGN KEY (chunk_id, document_id) REFERENCES chunks (id, document_id)
            ON DELETE CASCADE,
        CONSTRAINT fk_embeddings_space_id_embedding_spaces
            FOREIGN KEY (space_id) REFERENCES embedding_spaces (id) ON DELETE CASCADE
    ) PARTITION BY LIST (space_id)
    """,
    "CREATE INDEX ix_embeddings_document_id_chunk_id ON embeddings (document_id, chunk_id)",
    """
    CREATE TABLE terms (
        id integer GENERATED ALWAYS AS IDENTITY,
        term text NOT NULL,
        CONSTRAINT pk_terms PRIMARY KEY (id),
        CONSTRAINT ck_terms_term_length CHECK (char_length(term) BETWEEN 1 AND 255),
        CONSTRAINT uq_terms_term UNIQUE (term)
    )
    """,
    """
    CREATE TABLE postings (
        term_id integer NOT NULL,
        chunk_id bigint NOT NULL,
        document_id bigint NOT NULL,
        tf smallint NOT NULL,
        dl smallint NOT NULL,
        CONSTRAINT pk_postings PRIMARY KEY (term_id, chunk_id) INCLUDE (document_id, tf, dl),
        CONSTRAINT fk_postings_chunk_id_document_id_chunks
            FOREIGN KEY (chunk_id, document_id) REFERENCES chunks (id, document_id)
            ON DELETE CASCADE,
        CONSTRAINT ck_postings_tf_dl_range CHECK (tf >= 1 AND dl >= tf)
    ) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)
    """,
    "CREATE INDEX ix_postings_chunk_id ON postings (chunk_id)",
)

JOBS = (
    """
    CREATE TABLE ingest_jobs (
        id uuid DEFAULT gen_random_uuid() NOT NULL,
        document_id bigint NOT NULL,
        state text DEFAULT 'queued' NOT NULL,
        stage text DEFAULT '' NOT NULL,
        done integer DEFAULT 0 NOT NULL,
        total integer DEFAULT 0 NOT NULL,
        attempts integer DEFAULT 0 NOT NULL,
        error text DEFAULT '' NOT NULL,
        created_at timestamptz DEFAULT clock_timestamp() NOT NULL,
        started_at timestamptz,
        heartbeat_at timestamptz,
        finished_at timestamptz,
        CONSTRAINT pk_ingest_jobs PRIMARY KEY (id),
        CONSTRAINT ck_ingest_jobs_state_known CHECK (
            state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
        CONSTRAINT ck_ingest_jobs_counts_positive CHECK (
            done >= 0 AND total >= 0 AND attempts >= 0),
        CONSTRAINT ck_ingest_jobs_failed_has_error CHECK ((state = 'failed') = (error <> '')),
        CONSTRAINT fk_ingest_jobs_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE UNIQUE INDEX uq_ingest_jobs_live ON ingest_jobs (document_id)
    WHERE state IN ('queued', 'running')
    """,
    """
    CREATE INDEX ix_ingest_jobs_waiting ON ingest_jobs (created_at, id)
    WHERE state IN ('queued', 'running')
    """,
    "CREATE INDEX ix_ingest_jobs_document_id ON ingest_jobs (document_id)",
)

ANSWERS = (
    """
    CREATE TABLE answers (
        id uuid DEFAULT gen_random_uuid() NOT NULL,
        created_at timestamptz DEFAULT now() NOT NULL,
        user_id bigint,
        key_id bigint,
        frontend text,
        channel text NOT NULL,
        question text,
        model_id text NOT NULL,
        prompt_id text NOT NULL,
        retriever text NOT NULL,
        space_id integer,
        context_chunk_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
        cited_chunk_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
        abstained boolean NOT NULL,
        reason text DEFAULT '' NOT NULL,
        duration_ms integer NOT NULL,
        prompt_tokens integer DEFAULT 0 NOT NULL,
        completion_tokens integer DEFAULT 0 NOT NULL,
        CONSTRAINT pk_answers PRIMARY KEY (id),
        CONSTRAINT ck_answers_channel_known CHECK (channel IN ('http', 'cli', 'library')),
        CONSTRAINT ck_answers_counts_positive CHECK (
            duration_ms >= 0 AND prompt_tokens >= 0 AND completion_tokens >= 0),
        CONSTRAINT ck_answers_cited_was_offered CHECK (cited_chunk_ids <@ context_chunk_ids),
        CONSTRAINT fk_answers_user_id_users
            FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL,
        CONSTRAINT fk_answers_key_id_api_keys
            FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE SET NULL,
        CONSTRAINT fk_answers_space_id_embedding_spaces
            FOREIGN KEY (space_id) REFERENCES embedding_spaces (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX ix_answers_created_at ON answers (created_at)",
    "CREATE INDEX ix_answers_user_id ON answers (user_id)",
)


def upgrade() -> None:
    for statement in (*SEARCH, *JOBS, *ANSWERS):
        op.execute(statement)


def downgrade() -> None:
    for table in ("answers", "ingest_jobs", "postings", "terms", "embeddings", "embedding_spaces"):
        op.drop_table(table)
