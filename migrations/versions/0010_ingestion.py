"""What chunks are called and where their pages begin, validity of versions, resumable jobs."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

UPGRADE = (
    """
    ALTER TABLE chunks
        ADD label text DEFAULT '' NOT NULL,
        ADD page_breaks integer[] DEFAULT '{}' NOT NULL,
        ADD article_kind text,
        ADD article_number text,
        ADD paragraph_first integer,
        ADD paragraph_last integer,
        ADD status text DEFAULT '' NOT NULL,
        ADD CONSTRAINT ck_chunks_article_whole CHECK (
            (article_kind IS NULL) = (article_number IS NULL)
            AND (paragraph_first IS NULL) = (paragraph_last IS NULL)
            AND (article_kind IS NOT NULL OR (paragraph_first IS NULL AND status = ''))),
        ADD CONSTRAINT ck_chunks_paragraph_range CHECK (
            paragraph_first >= 1 AND paragraph_last >= paragraph_first)
    """,
    """
    CREATE INDEX ix_chunks_article ON chunks (article_kind, article_number)
        WHERE article_kind IS NOT NULL
    """,
    """
    ALTER TABLE documents
        ADD source text DEFAULT '' NOT NULL,
        ADD valid_from date,
        ADD valid_to date,
        ADD given_to date
    """,
    "CREATE INDEX ix_documents_source ON documents (source) WHERE source <> ''",
    """
    ALTER TABLE ingest_jobs
        ADD run_after timestamp with time zone,
        ADD retries integer DEFAULT 0 NOT NULL,
        ADD cancel_requested boolean DEFAULT false NOT NULL,
        ADD CONSTRAINT ck_ingest_jobs_retries_positive CHECK (retries >= 0),
        DROP CONSTRAINT ck_ingest_jobs_failed_has_error,
        ADD CONSTRAINT ck_ingest_jobs_failed_has_error CHECK (
            CASE state WHEN 'failed' THEN error <> '' WHEN 'queued' THEN true ELSE error = '' END)
    """,
    # Work of runs under way, for their workers only: no grant to the role that reads for callers.
    """
    CREATE TABLE ingest_records (
        document_id bigint NOT NULL,
        ordinal integer NOT NULL,
        record jsonb NOT NULL,
        CONSTRAINT pk_ingest_records PRIMARY KEY (document_id, ordinal),
        CONSTRAINT ck_ingest_records_ordinal_positive CHECK (ordinal >= 0),
        CONSTRAINT fk_ingest_records_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE ingest_vectors (
        document_id bigint NOT NULL,
        space_id integer NOT NULL,
        digest bytea NOT NULL,
        e halfvec,
        too_long boolean DEFAULT false NOT NULL,
        CONSTRAINT pk_ingest_vectors PRIMARY KEY (document_id, space_id, digest),
        CONSTRAINT ck_ingest_vectors_digest_length CHECK (octet_length(digest) = 32),
        CONSTRAINT ck_ingest_vectors_refused_or_embedded CHECK (e IS NULL OR NOT too_long),
        CONSTRAINT fk_ingest_vectors_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
        CONSTRAINT fk_ingest_vectors_space_id_embedding_spaces
            FOREIGN KEY (space_id) REFERENCES embedding_spaces (id) ON DELETE CASCADE
    )
    """,
    "ALTER TABLE embedding_spaces ADD activated_at timestamp with time zone",
    "UPDATE embedding_spaces SET activated_at = created_at WHERE state <> 'building'",
    """
    CREATE TABLE space_documents (
        space_id integer NOT NULL,
        document_id bigint NOT NULL,
        ready_at timestamp with time zone NOT NULL,
        warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
        filled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
        CONSTRAINT pk_space_documents PRIMARY KEY (space_id, document_id),
        CONSTRAINT ck_space_documents_warnings_array CHECK (jsonb_typeof(warnings) = 'array'),
        CONSTRAINT fk_space_documents_space_id_embedding_spaces
            FOREIGN KEY (space_id) REFERENCES embedding_spaces (id) ON DELETE CASCADE,
        CONSTRAINT fk_space_documents_document_id_documents
            FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX ix_space_documents_document_id ON space_documents (document_id)",
    """
    INSERT INTO space_documents (space_id, document_id, ready_at)
    SELECT DISTINCT e.space_id, d.id, d.ready_at
    FROM embeddings e JOIN documents d ON d.id = e.document_id
    WHERE d.ready_at IS NOT NULL
    """,
)

#: A posting names a chunk and its document, and goes with it: as the foreign key had it, but looked
#: at once a statement and not once a row, which took a sixth of the time of an ingest.
POSTINGS = (
    "ALTER TABLE postings DROP CONSTRAINT fk_postings_chunk_id_document_id_chunks",
    """
    CREATE FUNCTION docrag_check_postings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM (SELECT DISTINCT chunk_id, document_id FROM added) a
            WHERE NOT EXISTS (
                SELECT FROM chunks c WHERE c.id = a.chunk_id AND c.document_id = a.document_id))
        THEN
            RAISE foreign_key_violation USING
                MESSAGE = 'a posting names no chunk of its document',
                CONSTRAINT = 'postings_have_their_chunk';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER postings_added AFTER INSERT ON postings
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_check_postings()
    """,
    """
    CREATE TRIGGER postings_changed AFTER UPDATE ON postings
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_check_postings()
    """,
    """
    CREATE FUNCTION docrag_forget_postings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM postings p USING gone g WHERE p.chunk_id = g.id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER chunks_gone AFTER DELETE ON chunks
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION docrag_forget_postings()
    """,
    """
    CREATE FUNCTION docrag_keep_chunk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (OLD.id, OLD.document_id) IS DISTINCT FROM (NEW.id, NEW.document_id) THEN
            RAISE foreign_key_violation USING
                MESSAGE = 'a chunk stays in its document', CONSTRAINT = 'chunks_stay';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER chunks_stay AFTER UPDATE OF id, document_id ON chunks
    FOR EACH ROW EXECUTE FUNCTION docrag_keep_chunk()
    """,
)
DOWNGRADE = (
    "DROP TRIGGER chunks_stay ON chunks",
    "DROP TRIGGER chunks_gone ON chunks",
    "DROP TRIGGER postings_changed ON postings",
    "DROP TRIGGER postings_added ON postings",
    "DROP FUNCTION docrag_keep_chunk(), docrag_forget_postings(), docrag_check_postings()",
    """
    ALTER TABLE postings ADD CONSTRAINT fk_postings_chunk_id_document_id_chunks
        FOREIGN KEY (chunk_id, document_id) REFERENCES chunks (id, document_id) ON DELETE CASCADE
    """,
    "DROP TABLE space_documents",
    "ALTER TABLE embedding_spaces DROP activated_at",
    "DROP TABLE ingest_vectors",
    "DROP TABLE ingest_records",
    "UPDATE ingest_jobs SET error = '' WHERE state = 'queued'",
    """
    ALTER TABLE ingest_jobs DROP run_after, DROP retries, DROP cancel_requested,
        DROP CONSTRAINT ck_ingest_jobs_failed_has_error,
        ADD CONSTRAINT ck_ingest_jobs_failed_has_error CHECK ((state = 'failed') = (error <> ''))
    """,
    "ALTER TABLE documents DROP source, DROP valid_from, DROP valid_to, DROP given_to",
    """
    ALTER TABLE chunks DROP label, DROP page_breaks, DROP article_kind, DROP article_number,
        DROP paragraph_first, DROP paragraph_last, DROP status
    """,
)


def upgrade() -> None:
    for statement in (*UPGRADE, *POSTINGS):
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
